// A block from which no way leads to a return.
procedure P(x: int) returns (r: int)
{
  r := 0; //@ covered
  if (x > 3) {
    r := 1; //@ doomed
    assert false; //@ fails
    assume false; //@ unreachable
  }
}
