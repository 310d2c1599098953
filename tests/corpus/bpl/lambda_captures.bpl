// Lambdas capture variables of where they stand.
procedure Captured(n: int) returns (r: int)
{
  var c: [int]int;
  c := (lambda i: int :: i + n);
  r := c[2];
  assert r == n + 2; //@ holds
  assert r != 9; //@ fails
}

procedure Compared(n: int) returns (b: bool)
{
  var c: [int]bool;
  c := (lambda i: int :: i < n);
  b := c[4];
  if (b) {
    assert n > 4; //@ holds
  } else {
    assert n <= 4; //@ holds
  }
}
