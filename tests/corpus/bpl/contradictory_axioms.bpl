// Two of three axioms contradict each other. They are named.
const c: int;
function g(n: int): int;
axiom c > 3;
axiom (forall n: int :: {g(n)} g(n) > n);
axiom g(c) < c;
procedure p(a: int)
{
  assert a == 0; //@ holds
}
//@ run: cover
