// A contradicting precondition: nothing is ever executed.
procedure Contradiction(x: int) returns (r: int)
  requires x > 0;
  requires x < 0;
{
  r := 0; //@ unreachable
  assert false; //@ holds
  if (x == 3) {
    r := 1; //@ unreachable
  }
}
