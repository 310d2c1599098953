// A field of an unknown type may be the field of a known one: nothing may be claimed to hold here.
type Ref;
type Field a;
const unique size: Field int;
var Heap: <a>[Ref, Field a]a;

procedure Generic<b>(o: Ref, f: Field b, v: b)
  modifies Heap;
{
  Heap[o, size] := 1;
  Heap[o, f] := v;
  assert Heap[o, size] == 1; //@ fails?
}

procedure Frame(o: Ref)
  modifies Heap;
{
  Heap[o, size] := 1;
  assert (forall<a> p: Ref, f: Field a :: Heap[p, f] == old(Heap)[p, f]); //@ fails?
}

// What needs no unknown type is claimed all the same.
procedure Beside(o: Ref, same: bool)
  modifies Heap;
{
  assume same <== (forall<a> p: Ref, f: Field a :: Heap[p, f] == old(Heap)[p, f]);
  Heap[o, size] := 1;
  assert Heap[o, size] == 1; //@ holds
}
