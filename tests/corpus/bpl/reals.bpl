// Reals are exact; there is one between any two.
procedure Reals(x: real, i: int) returns (r: int)
{
  r := 0; //@ covered
  if (x > 0.0 && x < 1.0) {
    r := 1; //@ covered
    assert x + x < 2.0; //@ holds
    if (x == real(i)) {
      r := 2; //@ unreachable
    }
  }
  if (x == 0.1 && x + x + x != 0.3) {
    r := 3; //@ unreachable
  }
  if (int(x) == 2 && x != 2.0) {
    r := 4; //@ covered
  }
  assert x / 2.0 <= x; //@ fails
}
