// Maps by formulas: a run computes their elements, whatever a model can write down of them.
procedure sum(n: int) returns (r: int)
{
  var c: [int]int;
  c := (lambda i: int :: i + n);
  r := c[2];
  assert r == n + 2; //@ holds
  assert r != 9; //@ fails
}

procedure threshold(n: int) returns (b: bool)
{
  var c: [int]bool;
  c := (lambda i: int :: i < n);
  b := c[4];
  if (b) {
    assert n > 4; //@ holds
    b := false; //@ covered
  } else {
    assert n <= 4; //@ holds
    b := true; //@ covered
  }
}

procedure squares() returns (c: [int]int)
{
  c := (lambda i: int :: i * i);
  c[2] := 7;
  assert c[2] == 7 && c[3] == 9; //@ holds
  c[3] := 1; //@ covered
}

procedure nested(n: int) returns (c: [int][int]int)
{
  c := (lambda i: int :: (lambda j: int :: i + j + n));
  assert c[1][2] == n + 3; //@ holds
  assert c[1][2] != 3; //@ fails
  c[1][2] := 0; //@ covered
}

procedure product(n: int) returns (r: int)
{
  var c: [int]int;
  c := (lambda i: int :: i * n);
  c[n] := 5;
  r := c[n] + c[2];
  assert n == 2 || r == 5 + 2 * n; //@ holds
  if (n == 2 && r == 10) {
    r := 0; //@ covered
  }
}
