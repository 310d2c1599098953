// Axioms with quantifiers constrain an uninterpreted function.
function f(x: int): int;
axiom (forall x: int :: {f(x)} f(x) > x);
const limit: int;
axiom limit == 10;

procedure Axioms(a: int) returns (r: int)
{
  r := f(a); //@ covered?
  if (f(a) <= a) {
    r := 1; //@ unreachable
  }
  if (f(f(a)) == a + 1) {
    r := 2; //@ unreachable
  }
  if (a > limit && a < 10) {
    r := 3; //@ unreachable
  }
}
