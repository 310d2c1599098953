// old is the value at entry.
var g: int;

procedure Old(x: int) returns (r: int)
  modifies g;
  ensures g == old(g) + x; //@ holds
  ensures g != old(g); //@ fails
{
  r := g; //@ covered
  g := g + x;
  if (old(g) != r) {
    r := 1; //@ unreachable
  }
  if (g == old(g)) {
    r := 2; //@ doomed
    assert x == 0; //@ holds
  }
}
