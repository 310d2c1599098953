// Two branches, both open; a third that contradicts the first.
procedure Branches(x: int) returns (y: int)
{
  y := 0; //@ covered
  if (x > 10) {
    y := 1; //@ covered
    if (x < 5) {
      y := 2; //@ unreachable
    }
  } else {
    y := 3; //@ covered
  }
  y := y + 1; //@ covered
}

//@ run: cover
//@ exit: 0
//| Branches  6 covered, 1 infeasible; 2 tests
//|
//| infeasible: no execution reaches this
//|  --> branches.bpl:8:7
//|   |
//| 5 |   if (x > 10) {
//|   |       ------ ruled out by this …
//| 6 |     y := 1; //@ covered
//| 7 |     if (x < 5) {
//|   |         ----- … and this
//| 8 |       y := 2; //@ unreachable
//|   |       ^^^^^^^ never executed
//|
//|   test   x  outcome
//|      1   0  returns
//|      2  43  returns
//|
//| total, 1 procedure  6 covered, 1 infeasible; 2 tests; 4 queries in T s of T s

//@ run: cover --deny infeasible
//@ exit: 1
//| denied: 1 infeasible
//| Branches  6 covered, 1 infeasible; 2 tests
//|
//| infeasible: no execution reaches this
//|  --> branches.bpl:8:7
//|   |
//| 5 |   if (x > 10) {
//|   |       ------ ruled out by this …
//| 6 |     y := 1; //@ covered
//| 7 |     if (x < 5) {
//|   |         ----- … and this
//| 8 |       y := 2; //@ unreachable
//|   |       ^^^^^^^ never executed
//|
//|   test   x  outcome
//|      1   0  returns
//|      2  43  returns
//|
//| total, 1 procedure  6 covered, 1 infeasible; 2 tests; 4 queries in T s of T s

//@ run: check --print
//@ exit: 0
//| procedure Branches(x: int) returns (y: int)
//| {
//|   entry0:
//|     y := 0;
//|     if (x > 10) { goto then1; } else { goto else2; }
//|
//|   then1:
//|     y := 1;
//|     if (x < 5) { goto then3; } else { goto after4; }
//|
//|   then3:
//|     y := 2;
//|     goto after4;
//|
//|   after4:
//|     goto after5;
//|
//|   else2:
//|     y := 3;
//|     goto after5;
//|
//|   after5:
//|     y := y + 1;
//|     return;
//| }
