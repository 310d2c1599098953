// A precondition rules out a branch; a free one does so as well.
procedure Contract(x: int, y: int) returns (r: int)
  requires x > 0;
  free requires y == x + 1;
  ensures r > 0; //@ holds
{
  r := x;
  if (x <= 0) {
    r := 0 - 1; //@ unreachable
  }
  if (y <= 1) {
    r := 0 - 2; //@ unreachable
  }
  if (y == 2) {
    r := 7; //@ covered
  }
}

//@ run: cover
//@ exit: 0
//| Contract  8 covered, 2 infeasible; assertions: 1 holds; 2 tests
//|
//| infeasible: no execution reaches this
//|  --> requires.bpl:9:5
//|   |
//| 3 |   requires x > 0;
//|   |   --------------- ruled out by this …
//| ...
//| 8 |   if (x <= 0) {
//|   |       ------ … and this
//| 9 |     r := 0 - 1; //@ unreachable
//|   |     ^^^^^^^^^^^ never executed
//|
//| infeasible: no execution reaches this
//|   --> requires.bpl:12:5
//|    |
//|  3 |   requires x > 0;
//|    |   --------------- ruled out by this …
//|  4 |   free requires y == x + 1;
//|    |   ------------------------- … and this
//| ...
//| 11 |   if (y <= 1) {
//|    |       ------ … and this
//| 12 |     r := 0 - 2; //@ unreachable
//|    |     ^^^^^^^^^^^ never executed
//|
//|   test  x  y  outcome
//|      1  1  2  returns
//|      2  2  3  returns
//|
//| total, 1 procedure  8 covered, 2 infeasible; assertions: 1 holds; 2 tests;
//|   9 queries in T s of T s
