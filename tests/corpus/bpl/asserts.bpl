// What an assertion establishes holds behind it.
procedure Asserts(x: int, y: int) returns (r: int)
{
  r := 0;
  assert x > y; //@ fails
  assert y < x; //@ holds
  if (x == y) {
    r := 1; //@ unreachable
  }
  assert x != y; //@ holds
  r := x - y; //@ covered
  assert r > 1; //@ fails
}

//@ run: cover
//@ exit: 0
//| Asserts  5 covered, 1 infeasible; assertions: 2 can fail, 2 hold; 3 tests
//|
//| infeasible: no execution reaches this
//|  --> asserts.bpl:8:5
//|   |
//| 6 |   assert y < x; //@ holds
//|   |   ------------- ruled out by this …
//| 7 |   if (x == y) {
//|   |       ------ … and this
//| 8 |     r := 1; //@ unreachable
//|   |     ^^^^^^^ never executed
//|
//| failure: this assertion can fail (test 1)
//|  --> asserts.bpl:5:3
//|   |
//| 5 |   assert x > y; //@ fails
//|   |   ^^^^^^^^^^^^^ fails for x = 0, y = 3
//|
//| failure: this assertion can fail (test 3)
//|   --> asserts.bpl:12:3
//|    |
//| 12 |   assert r > 1; //@ fails
//|    |   ^^^^^^^^^^^^^ fails for x = 1, y = 0
//|
//|   test  x    y  outcome
//|      1  0    3  fails at 5:3
//|      2  1  -14  returns
//|      3  1    0  fails at 12:3
//|
//| total, 1 procedure  5 covered, 1 infeasible; assertions: 2 can fail, 2 hold; 3 tests;
//|   11 queries in T s of T s
