// Nothing lies between a constant and each of its parents, the other parents neither.
type W;
const a, b: W;
const c: W extends a, b;

procedure Between(x: W)
{
  assume c <: x && x <: a;
  assert x == c || x == a; //@ holds
}

procedure Parents()
{
  if (b <: a) {
    assert b == a; //@ holds
  }
  assert a != c; //@ holds
  assert a == b; //@ fails
}
