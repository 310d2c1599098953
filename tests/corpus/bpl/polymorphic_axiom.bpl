// One polymorphic axiom, or a quantified type in a postcondition, leaves all other goals as they are.
function is_heap<a>(x: a): bool;
axiom (forall<a> x: a :: {is_heap(x)} is_heap(x));
procedure next(x: int)
{
  assume is_heap(x);
  assert (forall y: int :: y == x ==> y + 1 == x + 1); //@ holds
}

type Ref;
type Field a;
const unique size: Field int;
var heap: <a>[Ref, Field a]a;
procedure frame(this: Ref)
  modifies heap;
  ensures (forall<a> o: Ref, f: Field a :: o != this ==> heap[o, f] == old(heap)[o, f]);
{
  heap[this, size] := 3;
  assert heap[this, size] == 3; //@ holds
}
