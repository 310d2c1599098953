// Iterators, modules, refinement and opaque or two-state functions.
module Counting {
  iterator UpTo(n: nat) yields (i: nat)
    yield ensures i < n
  {
    var k := 0;
    while k < n
      invariant k <= n
    {
      yield k;
      k := k + 1;
    }
  }

  method Client() {
    var it := new UpTo(3);
    var more := it.MoveNext();
    if more { assert it.i < 3; }
  }
}

abstract module Queue {
  type T
  function method Weight(t: T): int ensures Weight(t) >= 0
  method Heaviest(s: seq<T>) returns (w: int) ensures forall t :: t in s ==> Weight(t) <= w
}

module IntQueue refines Queue {
  type T = nat
  function method Weight(t: T): int { t }
  method Heaviest(s: seq<T>) returns (w: int)
  {
    w := 0;
    var i := 0;
    while i < |s|
      invariant 0 <= i <= |s|
      invariant forall k :: 0 <= k < i ==> Weight(s[k]) <= w
    {
      if s[i] > w { w := s[i]; }
      i := i + 1;
    }
  }
}

class Counter {
  var n: int
  twostate predicate Grew() reads this { old(n) < n }
  method Inc() modifies this ensures Grew() { n := n + 1; }
}

function {:opaque} Secret(x: int): int { x + 42 }

method Reveal() { reveal Secret(); assert Secret(1) == 43; }
