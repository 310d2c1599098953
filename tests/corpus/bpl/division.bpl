// Division rounds so that the remainder is not negative.
procedure Division(x: int) returns (r: int)
{
  r := 0; //@ covered
  if (x == 0 - 7) {
    r := x div 2; //@ covered
    assert r == 0 - 4; //@ holds
    assert x mod 2 == 1; //@ holds
    assert x div (0 - 2) == 4; //@ holds
    assert x mod (0 - 2) == 1; //@ holds
  }
  if (x mod 3 == 2 && x mod 6 == 1) {
    r := 1; //@ unreachable
  }
  if (x mod 3 < 0) {
    r := 2; //@ unreachable
  }
  assert 3 * (x div 3) + x mod 3 == x; //@ holds
  assert x div 3 != 4; //@ fails
}
