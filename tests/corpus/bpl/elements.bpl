// Maps whose indices do not say of which type an element is: there is one of each type at each index.
type Ref;
var one: <a>[]a;

procedure Each()
  modifies one;
{
  one[] := 12; //@ covered?
  one[] := true;
  assert one[] == 12; //@ holds
  assert one[]; //@ holds
  one[] := 13;
  if (one[] == 12) {
    one[] := false; //@ unreachable
  }
}

procedure At(many: <a>[Ref]a, r: Ref, s: Ref) returns (after: <a>[Ref]a)
{
  after := many[r := 5];
  after := after[s := false];
  assert after[r] == 5; //@ holds
  if (after[r]) {
    after[r] := after[s]: int; //@ covered?
    assert r != s; //@ holds
  }
}

// A map without indices has one element.
procedure Single(m: []bv8) returns (n: []bv8)
{
  n := m;
  if (m[] == 3bv8) {
    n[] := 4bv8; //@ covered
  }
  assert n[] != 3bv8; //@ holds
}
