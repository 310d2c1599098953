// What the limit on blocks leaves out is unknown: it is no bound that the program could stay within.
procedure Step(x: int) returns (y: int)
{
  if (x > 0) {
    y := x - 1;
  } else {
    y := 0;
  }
}

procedure Many(n: int)
{
  var x: int;
  x := n;
  call x := Step(x);
  call x := Step(x);
  call x := Step(x);
  call x := Step(x);
  call x := Step(x);
  call x := Step(x);
  assert x != 3; //@ fails
  if (x == 5) {
    x := 1; //@ covered
  }
  if (x < 0) {
    x := 2; //@ unreachable
  }
}

//@ run: cover --procedure Many --max-blocks 30 --algorithm statement --random-runs 0 --loop-proofs 0
//@ exit: 0
//| Many  13 unknown; assertions: 1 unknown
//|
//|   unknown: 13 places: the loop-free form would have more than 30 blocks [block-limit]
//|     14:3, 16:3, 17:3, 18:3, 19:3, 20:3, 21:3, 22:7, 23:5, 25:7, 26:5, 28:1
//|   unknown: 1 assertion: the loop-free form would have more than 30 blocks [block-limit]
//|     21:3
//|
//|   note: some calls of `Step` were cut: more than 30 blocks
//|
//| total, 1 procedure  13 unknown; assertions: 1 unknown; 6 queries in T s of T s
