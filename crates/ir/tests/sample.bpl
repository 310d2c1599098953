type ref;
type Field _;
type {:datatype} List;
function {:constructor} Nil(): List;
function {:constructor} Cons(head: int, tail: List): List;

const unique null: ref;
const unique f: Field int extends complete;

function {:builtin "MapConst"} MapConst(int): [int]int;
function {:bvbuiltin "bvadd"} bvadd.8(bv8, bv8): bv8;
function {:bvbuiltin "bvult"} bvult.8(bv8, bv8): bool;
function none<T>(): Field T;
function {:inline} inc(n: int): int { n + 1 }

axiom (forall<T> h: <t0>[ref, Field t0]t0, f#1: Field T :: {h[null, f#1]} f#1 == (none() : Field T) ==> h[null, f#1] == h[null, (none() : Field T)]);
axiom (lambda i: int :: i + 1) != MapConst(1)[1 := 1];

var Heap: <t0>[ref, Field t0]t0;
var x: int;

procedure \axiom(x#1: int, y: bv8) returns (r: int)
  requires x#1 > 1;
  modifies Heap, x;
  ensures old(x) <= x;
{
  var x#2: int;
  var l: List;
  var {:star} star: int;
  var {:star} star#1: int;

  entry:
    Heap[null, f] := x#1;
    l := Cons(x#1, Nil());
    x#2, r := Heap[null, f], head#Cons(l);
    havoc x#2, x;
    assume {:note "a \"b", x#1} bvult.8(y, bvadd.8(y, y));
    assert {:kind "loop_invariant"} (none() : Field int) != f;
    havoc star;
    call star#1 := \axiom(star, bvadd.8(y, y));
    if (x#1 > 1) { goto loop; } else { goto loop#1; }

  loop:
    goto loop, loop#1;

  loop#1:
    goto end;

  end:
    return;

  stop:
    assume {:stop} false;
    return;
}
