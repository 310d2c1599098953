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
//| Loop  4 infeasible, 7 unknown; assertions: 2 hold
//|
//| infeasible: no execution reaches this with at most 1 iteration of each loop
//|   --> loop.bpl:12:7
//|    |
//|  5 |   i := 0; //@ covered
//|    |   ------- ruled out by this …
//| ...
//| 11 |     if (i == 2) {
//|    |         ------ … and this
//| 12 |       r := r + 10; //@ covered 3
//|    |       ^^^^^^^^^^^^ never executed within the bound
//| ...
//| 17 |     i := i + 1;
//|    |     ----------- … and this
//|
//| infeasible: no execution reaches this
//|   --> loop.bpl:15:7
//|    |
//|  7 |   while (i < 3)
//|    |          ----- ruled out by this …
//| ...
//| 14 |     if (i == 3) {
//|    |         ------ … and this
//| 15 |       r := 0; //@ unreachable
//|    |       ^^^^^^^ never executed
//|
//| infeasible: no execution reaches this with at most 1 iteration of each loop
//|   --> loop.bpl:19:3
//|    |
//|  5 |   i := 0; //@ covered
//|    |   ------- ruled out by this …
//|  6 |   r := 0;
//|  7 |   while (i < 3)
//|    |          ----- … and this
//| ...
//| 17 |     i := i + 1;
//|    |     ----------- … and this
//| 18 |   }
//| 19 |   assert r == 13; //@ holds
//|    |   ^^^^^^^^^^^^^^^ never executed within the bound
//| 20 |   r := 1; //@ covered 3
//|    |   ^^^^^^^ never executed within the bound
//|
//|   unknown: 7 places: runs reach it, but none of them returns within 1 iteration of each loop; --unwind raises the bound [no-return-within-bound]
//|     5:3, 8:5, 10:5, 11:9, 14:9, 17:5
//|
//| 3 infeasible only within 1 iteration of each loop; --unwind raises the bound
//| total, 1 procedure  4 infeasible, 7 unknown; assertions: 2 hold; 22 queries in T s of T s
