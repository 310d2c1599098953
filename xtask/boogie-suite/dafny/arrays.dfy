// Arrays, loops, framing, old and multi-dimensional arrays.
method Find(a: array<int>, key: int) returns (index: int)
  ensures 0 <= index ==> index < a.Length && a[index] == key
  ensures index < 0 ==> forall k :: 0 <= k < a.Length ==> a[k] != key
{
  index := 0;
  while index < a.Length
    invariant 0 <= index <= a.Length
    invariant forall k :: 0 <= k < index ==> a[k] != key
  {
    if a[index] == key { return; }
    index := index + 1;
  }
  index := -1;
}

method Swap(a: array<int>, i: int, j: int)
  requires 0 <= i < a.Length && 0 <= j < a.Length
  modifies a
  ensures a[i] == old(a[j]) && a[j] == old(a[i])
{
  a[i], a[j] := a[j], a[i];
}

method Fill(m: array2<real>, x: real)
  modifies m
{
  forall i, j | 0 <= i < m.Length0 && 0 <= j < m.Length1 { m[i, j] := x; }
}

method Nested(n: nat) returns (r: int)
{
  var i := 0;
  label outer: while i < n
    decreases n - i
  {
    var j := n;
    while j > 0 {
      if i + j == 7 { break outer; }
      j := j - 1;
    }
    i := i + 1;
  }
  r := if i < n then i else n;
}
