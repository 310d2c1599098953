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
