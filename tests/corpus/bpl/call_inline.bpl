// A callee with a body is followed into: what it really returns counts.
procedure {:inline 1} Sign(x: int) returns (s: int)
{
  s := 0; //@ covered
  if (x > 0) {
    s := 1; //@ covered
  } else if (x < 0) {
    s := 0 - 1; //@ covered
  }
}

procedure Caller(a: int) returns (r: int)
{
  call r := Sign(a);
  if (r > 1) {
    r := 0; //@ unreachable
  }
  if (r == 0 && a != 0) {
    r := 2; //@ unreachable
  }
  assert r == 1 ==> a > 0; //@ holds
  assert r != 0 - 1; //@ fails
  r := 5; //@ covered
}
