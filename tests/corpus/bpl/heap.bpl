// A heap as verifiers write it: one polymorphic map, fields with types.
type ref;
type Field a;
const unique null: ref;
const unique value: Field int;
const unique next: Field ref;
var Heap: <a>[ref, Field a]a;

procedure Heap0(o: ref, p: ref) returns (r: int)
  requires o != null;
  modifies Heap;
{
  r := 0; //@ covered?
  Heap[o, value] := 5;
  Heap[p, next] := o;
  if (Heap[o, value] != 5) {
    r := 1; //@ unreachable
  }
  if (Heap[p, next] == null) {
    r := 2; //@ unreachable
  }
  Heap[p, value] := 6;
  if (Heap[o, value] == 6) {
    r := 3; //@ covered?
    assert o == p; //@ holds
  }
  assert Heap[Heap[p, next], next] == o; //@ fails?
}
