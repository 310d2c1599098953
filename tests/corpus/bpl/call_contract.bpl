// A callee without a body is its contract: preconditions are checked, results are arbitrary but for ensures.
var g: int;

procedure Extern(x: int) returns (y: int);
  requires x != 0;
  modifies g;
  ensures y > x;
  ensures g == old(g) + 1;

procedure Use(a: int) returns (r: int)
  modifies g;
{
  var before: int;
  before := g; //@ covered
  call r := Extern(a); //@ fails
  if (a == 0) {
    r := 1; //@ unreachable
  }
  if (r <= a) {
    r := 2; //@ unreachable
  }
  assert g == before + 1; //@ holds
  call r := Extern(5); //@ holds
  assert r != 6; //@ fails
}

//@ run: cover --procedure Use
