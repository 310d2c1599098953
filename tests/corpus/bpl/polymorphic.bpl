// The definition of a function with type parameters is about the types of each use.
type Ref;
type Field _;
type Heap = <a>[Ref, Field a]a;
type Seq _;

function read<a>(h: Heap, r: Ref, f: Field a) returns (a) { h[r, f] }
function {:inline} twice<a>(h: Heap, r: Ref, f: Field a) returns (a) { read(h, r, f) }
function item<t>(s: Seq t, i: int) returns (t);
function first<t>(s: Seq t) returns (t) { item(s, 0) }
function any<a>() returns (a);
function some<a>() returns (a) { any() }

procedure Reads(h: Heap, r: Ref, f: Field int, g: Field bool)
{
  assert read(h, r, f) == h[r, f]; //@ holds
  assert twice(h, r, g) == h[r, g]; //@ holds
  if (read(h, r, f) == 3 && !twice(h, r, g)) {
    return; //@ covered
  }
}

procedure First(s: Seq int)
{
  assert first(s) == item(s, 0); //@ holds
  if (first(s) != item(s, 0)) {
    return; //@ unreachable
  }
}

procedure Some(x: int)
{
  assert some() == any(): int; //@ holds
  if (some() == x) {
    return; //@ covered
  }
}
