// What says which runs a search gives up excludes none from proofs.
procedure Here(x: int)
{
  assume {:guidance} x > 50;
  assert x != 40; //@ fails
}

procedure Callee(x: int) returns (r: int)
{
  assume {:guidance} x > 50;
  r := x;
}

procedure Caller(x: int)
{
  var r: int;
  call r := Callee(x);
  if (r < 50) {
    r := 1; //@ covered
  }
  assert r != 40; //@ holds
  assert r != 60; //@ fails
}
