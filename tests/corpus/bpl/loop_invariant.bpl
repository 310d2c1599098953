// An invariant that does not hold from the second round on: whoever enters the loop fails.
procedure Invariant(n: int) returns (i: int)
  requires n >= 0;
{
  i := 0;
  while (i < n)
    invariant i == 0; //@ fails 1
  {
    i := i + 1; //@ doomed?
  }
  assert i == n; //@ holds
}
