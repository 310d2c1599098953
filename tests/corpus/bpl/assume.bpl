// Assumptions block runs; contradicting ones block all of them.
procedure Assume(x: int) returns (r: int)
{
  assume x > 5;
  r := 0; //@ covered
  if (x < 10) {
    r := 1; //@ covered
    assume x > 8;
    r := x; //@ covered
    if (r != 9) {
      r := 2; //@ unreachable
    }
  }
  assert x > 4; //@ holds
}
