// Objects, traits, generics, ghost state, allocation, dynamic frames.
trait Shape {
  function method Area(): int reads this
  method Grow(step: int) modifies this
}

class Square extends Shape {
  var side: int
  constructor (s: int) ensures side == s { side := s; }
  function method Area(): int reads this { side * side }
  method Grow(step: int) modifies this { side := side + step; }
}

class Cell<T> {
  var content: T
  ghost var history: seq<T>
  ghost var Repr: set<object>

  predicate Valid() reads this, Repr { this in Repr && |history| > 0 && history[|history| - 1] == content }

  constructor (x: T) ensures Valid() && fresh(Repr)
  {
    content := x;
    history := [x];
    Repr := {this};
  }

  method Set(x: T)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr)) && history == old(history) + [x]
  {
    content := x;
    history := history + [x];
  }
}

method Client(s: Shape?) returns (n: int)
  modifies if s == null then {} else {s}
{
  var c := new Cell<int>(3);
  c.Set(4);
  if s != null { s.Grow(c.content); n := s.Area(); }
  assert c.history[0] == 3;
}
