// Axioms with type variables hold in all runs that are shown.
type Box;
function wrap<a>(x: a) returns (Box);
function unwrap<a>(b: Box) returns (a);
axiom (forall<a> x: a :: {wrap(x)} unwrap(wrap(x)) == x);

procedure Wrapped(n: int)
{
  if (wrap(n) == wrap(n + 1)) {
    assert false; //@ holds
  }
}

function f<a>(x: a) returns (int);
axiom (forall<a> x: a :: {f(x)} f(x) > 0);

procedure Positive(n: int)
{
  if (f(n) <= 0) {
    assert n == 3; //@ holds
  }
}

procedure Always(n: int)
{
  assert f(n) == 0; //@ fails
}

const P: <b>[b]bool;
axiom (forall<b> x: b :: P[x]);

procedure Map(n: int)
{
  assert P[n]; //@ holds
}

// A procedure with type variables evaluates the functions at types that only its callers have.
procedure Twice<T>(x: T) returns (r: int)
{
  r := f(x) + f(x);
}

procedure Calls(b: bool)
{
  var r: int;
  call r := Twice(b);
  assert r > 0; //@ holds?
}
