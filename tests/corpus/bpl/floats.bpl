// Floating-point numbers with Boogie's operators: IEEE 754's, to nearest, ties to even. Equality is IEEE's, too.
procedure sums()
{
  var x: float24e8;
  x := 0x1.0e0f24e8;
  assert x + x == 0x2.0e0f24e8; //@ holds
  assert x / 0x3.0e0f24e8 != 0x0.55555e0f24e8; //@ holds
  assert 0x0.0e0f24e8 == -0x0.0e0f24e8; //@ holds
  assert x / 0x0.0e0f24e8 == 0+oo24e8; //@ holds
  assert 0NaN24e8 != 0NaN24e8; //@ holds
  assert x - x == -0x0.0e0f24e8 && x * x <= x && x >= x; //@ holds
}

procedure halves()
{
  // Of half precision: 2048 + 1 is a tie, and so is 65504 + 16, of which the other side is infinity.
  assert 0x8.0e2f11e5 + 0x1.0e0f11e5 == 0x8.0e2f11e5; //@ holds
  assert 0x8.0e2f11e5 + 0x3.0e0f11e5 == 0x8.04e2f11e5; //@ holds
  assert 0xF.FE0e3f11e5 + 0x1.0e1f11e5 == 0+oo11e5; //@ holds
  assert 0xF.FE0e3f11e5 + 0xF.0e0f11e5 == 0xF.FE0e3f11e5; //@ holds
  assert 0xF.FE0e3f11e5 * 0x2.0e0f11e5 == 0+oo11e5; //@ holds
}

procedure symbolic(x: float24e8, y: float24e8) returns (r: int)
{
  r := 0;
  assert x == x || x != x; //@ holds
  assert x + y == y + x || x + y != x + y; //@ holds
  assert !(x < y && y < x); //@ holds
  if (x < 0x1.0e0f24e8) {
    assert x <= 0x1.0e0f24e8; //@ holds
    r := 1; //@ covered
  }
  if (x < 0x1.0e0f24e8 && x > 0x2.0e0f24e8) {
    r := 2; //@ unreachable
  }
  if (!(x < 0x1.0e0f24e8) && !(x >= 0x1.0e0f24e8)) {
    assert x != 0NaN24e8; //@ holds
    r := 3; //@ covered
  }
}

procedure nan(x: float24e8)
{
  assert x == x; //@ fails
}

procedure grows() returns (x: float24e8)
{
  x := 0x1.0e0f24e8;
  while (x < 0x4.0e0f24e8) {
    x := x + x;
  }
  assert x == 0x4.0e0f24e8; //@ holds
  x := 0x0.0e0f24e8; //@ covered 2
}

procedure maps(m: [float24e8]int)
{
  // An index is a value: the zeros are two, the NaN is one.
  var n: [float24e8]int;
  n := m[0x0.0e0f24e8 := 1][-0x0.0e0f24e8 := 2][0NaN24e8 := 3];
  assert n[0x0.0e0f24e8] == 1 && n[-0x0.0e0f24e8] == 2; //@ holds
  assert n[0NaN24e8] == 3; //@ holds
}
