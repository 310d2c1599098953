// A loop with a known number of rounds.
procedure Loop() returns (r: int)
{
  var i: int;
  i := 0; //@ covered
  r := 0;
  while (i < 3)
    invariant i <= 3; //@ holds
  {
    r := r + i; //@ covered
    if (i == 2) {
      r := r + 10; //@ covered 3
    }
    if (i == 3) {
      r := 0; //@ unreachable
    }
    i := i + 1;
  }
  assert r == 13; //@ holds
  r := 1; //@ covered 3
}

//@ run: cover --unwind 1
//@ exit: 0
//| Loop  10 covered, 1 infeasible; assertions: 2 hold; 1 test
//|
//| infeasible: no execution reaches this
//|   --> loop.bpl:15:7
//|    |
//| 15 |       r := 0; //@ unreachable
//|    |       ^^^^^^^ never executed
//|
//| total, 1 procedure  10 covered, 1 infeasible; assertions: 2 hold; 1 test;
//|   22 queries in T s of T s
