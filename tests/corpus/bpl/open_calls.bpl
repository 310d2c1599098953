// What is not reached because recursion is followed to a depth is told as recursion, not as iterations of loops.
procedure Factorial(n: int) returns (r: int)
{
  if (n <= 0) {
    r := 1; //@ covered
  } else {
    call r := Factorial(n - 1);
    r := r * n; //@ covered
  }
}

procedure Deep()
{
  var r: int;
  call r := Factorial(5);
  assert r == 120; //@ holds
  r := 0;          //@ covered?
}

procedure Choice(n: int)
{
  var r: int;
  call r := Factorial(n);
  if (n == 9) {
    r := 5; //@ covered?
  }
  if (n < 0 && r != 1) {
    r := 6; //@ unreachable
  }
}

//@ run: cover --procedure Deep --algorithm statement --random-runs 0 --loop-proofs 0
//@ exit: 0
//| Deep  2 infeasible, 1 unknown; assertions: 1 holds
//|
//| infeasible: no execution reaches this with at most 3 open calls of each recursive function
//|   --> open_calls.bpl:16:3
//|    |
//|  4 |   if (n <= 0) {
//|    |       ------ ruled out by this …
//| ...
//|  7 |     call r := Factorial(n - 1);
//|    |     --------------------------- … and this
//| ...
//| 15 |   call r := Factorial(5);
//|    |   ----------------------- … and this
//| 16 |   assert r == 120; //@ holds
//|    |   ^^^^^^^^^^^^^^^^ never executed within the bound
//| 17 |   r := 0;          //@ covered?
//|    |   ^^^^^^^ never executed within the bound
//|
//|   unknown: 1 place: runs reach it, but none of them returns within 3 open calls of each recursive function; --recursion raises the bound [no-return-within-bound]
//|     15:3
//|
//| 3 infeasible only within 3 open calls of each recursive function; --recursion raises the bound
//| total, 1 procedure  2 infeasible, 1 unknown; assertions: 1 holds; 8 queries in T s of T s

//@ run: cover --procedure Choice --algorithm statement --random-runs 0 --loop-proofs 0
//@ exit: 0
//| Choice  5 covered, 2 infeasible; 1 test
//|
//| infeasible: no execution reaches this with at most 3 open calls of each recursive function
//|   --> open_calls.bpl:25:5
//|    |
//|  4 |   if (n <= 0) {
//|    |       ------ ruled out by this …
//| ...
//|  7 |     call r := Factorial(n - 1);
//|    |     --------------------------- … and this
//| ...
//| 23 |   call r := Factorial(n);
//|    |   ----------------------- … and this
//| 24 |   if (n == 9) {
//|    |       ------ … and this
//| 25 |     r := 5; //@ covered?
//|    |     ^^^^^^^ never executed within the bound
//|
//| infeasible: no execution reaches this with at most 3 open calls of each recursive function
//|   --> open_calls.bpl:28:5
//|    |
//|  4 |   if (n <= 0) {
//|    |       ------ ruled out by this …
//|  5 |     r := 1; //@ covered
//|    |     ------- … and this
//| ...
//| 23 |   call r := Factorial(n);
//|    |   ----------------------- … and this
//| 24 |   if (n == 9) {
//|    |       ------ … and this
//| ...
//| 27 |   if (n < 0 && r != 1) {
//|    |       --------------- … and this
//| 28 |     r := 6; //@ unreachable
//|    |     ^^^^^^^ never executed within the bound
//|
//|   test  n  outcome
//|      1  1  returns
//|
//| 2 infeasible only within 3 open calls of each recursive function; --recursion raises the bound
//| total, 1 procedure  5 covered, 2 infeasible; 1 test; 17 queries in T s of T s
