// Axioms that say that a type has few values matter to all values of the type, whether or not what they name is named.

type Color;
const unique red, green: Color;
axiom (forall c: Color :: c == red || c == green);

procedure TwoAreEqual(c: Color, d: Color, e: Color)
{
  assert c == d || d == e || c == e; //@ holds
}

procedure Different(c: Color, d: Color)
{
  if (c != d) {
    assert true; //@ covered
  }
}

procedure ThreeDiffer(c: Color, d: Color, e: Color) returns (r: int)
{
  r := 1;
  if (c != d && d != e && c != e) {
    r := 2; //@ unreachable
  }
}

type One;
const only: One;
axiom (forall x: One :: x == only);
function w(x: One): int;

procedure SameElement(m: [One]int, x: One, y: One)
{
  assert m[x] == m[y]; //@ holds
}

procedure SameValue(x: One, y: One)
{
  assert w(x) == w(y); //@ holds
}

type Many;
const some: Many;
function next(x: Many): Many;
axiom (forall x, y: Many :: next(x) == next(y) ==> x == y);

procedure MayDiffer(x: Many, y: Many)
{
  assert x == y; //@ fails
}
//@ ask: failures --timeout 10
//@ ask: cover
//@ ask: verify
