// Sets, multisets, sequences, maps, comprehensions, quantifiers, let, lambdas.
function Sum(s: seq<int>): int { if s == [] then 0 else s[0] + Sum(s[1..]) }

predicate Sorted(s: seq<int>) { forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j] }

method Count(words: seq<string>) returns (m: map<string, nat>, seen: set<string>, bag: multiset<string>)
  ensures forall w :: w in words ==> w in m
{
  m, seen, bag := map[], {}, multiset{};
  var i := 0;
  while i < |words|
    invariant 0 <= i <= |words|
    invariant forall k :: 0 <= k < i ==> words[k] in m
  {
    var w := words[i];
    m := m[w := if w in m then m[w] + 1 else 1];
    seen := seen + {w};
    bag := bag[w := bag[w] + 1];
    i := i + 1;
  }
}

function Squares(n: nat): set<int> { set i | 0 <= i < n :: i * i }

function Table(n: nat): map<int, int> { map i | 0 <= i < n :: i * i }

function method Twice(f: int -> int, x: int): int { f(f(x)) }

method Lambdas(k: int) returns (r: int)
{
  var add := x => x + k;
  r := Twice(add, 1);
  var small :| 0 <= small < 10 && small != 3;
  r := r + (var y := small; y * y);
  assert exists q: int :: q > r;
}
