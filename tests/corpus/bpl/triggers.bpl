// Axioms of which no solver builds a model; a few instances of them are proof enough.
type Seq;
function length(s: Seq): int;
function append(s: Seq, x: int): Seq;
function at(s: Seq, i: int): int;
const empty: Seq;
axiom length(empty) == 0;
axiom (forall s: Seq :: {length(s)} 0 <= length(s));
axiom (forall s: Seq, x: int :: {append(s, x)} length(append(s, x)) == length(s) + 1);
axiom (forall s: Seq, x: int, i: int :: {at(append(s, x), i)}
  at(append(s, x), i) == (if i == length(s) then x else at(s, i)));
axiom (forall s: Seq, x: int, y: int :: {append(append(s, x), y)}
  append(append(s, x), y) == append(append(s, y), x) ==> x == y);

procedure Append(s: Seq, x: int) returns (r: int)
{
  var t: Seq;
  t := append(s, x); //@ covered?
  if (length(t) == 0) {
    r := 1; //@ unreachable
  }
  if (t == empty) {
    r := 2; //@ unreachable
  }
  assert at(t, length(s)) == x; //@ holds
  assert at(t, 0) == x; //@ fails?
  r := at(t, 0); //@ covered?
}
