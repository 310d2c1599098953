// A callee without a body is its contract: preconditions are checked, results are arbitrary but for ensures.
var g: int;

procedure Extern(x: int) returns (y: int);
  requires x != 0;
  modifies g;
  ensures y > x;
  ensures g == old(g) + 1;

procedure Use(a: int) returns (r: int)
  modifies g;
{
  var before: int;
  before := g; //@ covered
  call r := Extern(a); //@ fails
  if (a == 0) {
    r := 1; //@ unreachable
  }
  if (r <= a) {
    r := 2; //@ unreachable
  }
  assert g == before + 1; //@ holds
  call r := Extern(5); //@ holds
  assert r != 6; //@ fails
}

//@ run: cover --procedure Use
//@ exit: 0
//| Use  7 covered, 2 infeasible; assertions: 2 can fail, 2 hold; 3 tests
//|
//| infeasible: no execution reaches this
//|   --> call_contract.bpl:17:5
//|    |
//| 15 |   call r := Extern(a); //@ fails
//|    |   -------------------- ruled out by this …
//| 16 |   if (a == 0) {
//|    |       ------ … and this
//| 17 |     r := 1; //@ unreachable
//|    |     ^^^^^^^ never executed
//|
//| infeasible: no execution reaches this
//|   --> call_contract.bpl:20:5
//|    |
//|  7 |   ensures y > x;
//|    |   -------------- ruled out by this …
//| ...
//| 15 |   call r := Extern(a); //@ fails
//|    |   -------------------- … and this
//| 16 |   if (a == 0) {
//|    |       ------ … and this
//| ...
//| 19 |   if (r <= a) {
//|    |       ------ … and this
//| 20 |     r := 2; //@ unreachable
//|    |     ^^^^^^^ never executed
//|
//| failure: a precondition of this call can fail (test 1)
//|   --> call_contract.bpl:15:3
//|    |
//| 15 |   call r := Extern(a); //@ fails
//|    |   ^^^^^^^^^^^^^^^^^^^^ fails for a = 0, g = 3
//|
//| failure: this assertion can fail (test 3)
//|   --> call_contract.bpl:24:3
//|    |
//| 24 |   assert r != 6; //@ fails
//|    |   ^^^^^^^^^^^^^^ fails for a = -1, g = -1, y = 1 after the call, g = 0 after the call, …
//|
//|   test 1: fails at 15:3
//|     a = 0, g = 3
//|   test 2: returns
//|     a = -94, g = 1, y = 123 after the call, g = 2 after the call, y = 7 after the call,
//|     g = 3 after the call
//|   test 3: fails at 24:3
//|     a = -1, g = -1, y = 1 after the call, g = 0 after the call, y = 6 after the call,
//|     g = 1 after the call
//|
//| total, 1 procedure  7 covered, 2 infeasible; assertions: 2 can fail, 2 hold; 3 tests;
//|   17 queries in T s of T s
