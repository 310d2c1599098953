// No state satisfies the definition of f: nothing runs, not even what does not apply f. That is said once.
function f(x: int): int { f(x) + 1 }
axiom f(0) >= 0;
procedure applies(a: int) returns (r: int)
{
  if (f(a) > 0) {
    r := 1; //@ unreachable
  } else {
    r := 2; //@ unreachable
  }
}
procedure does_not(a: int) returns (r: int)
{
  r := 1; //@ unreachable
}

//@ run: cover
//@ exit: 0
//| warning[contradiction]: no state satisfies this: nothing can run, and what is said below is about no run at all
//|  --> contradictory_definition.bpl:2:10
//|   |
//| 2 | function f(x: int): int { f(x) + 1 }
//|   |          ^
//|
//| 1 warning
//| applies   4 infeasible
//|
//| infeasible: no execution reaches this
//|   --> contradictory_definition.bpl:6:7
//|    |
//|  6 |   if (f(a) > 0) {
//|    |       ^^^^^^^^ never executed
//|  7 |     r := 1; //@ unreachable
//|    |     ^^^^^^^ never executed
//|  8 |   } else {
//|  9 |     r := 2; //@ unreachable
//|    |     ^^^^^^^ never executed
//| 10 |   }
//| 11 | }
//|    | ^ never executed
//|
//|   note: no run can start: preconditions, where-clauses and axioms contradict each other
//|
//| does_not  1 infeasible
//|
//| infeasible: no execution reaches this
//|   --> contradictory_definition.bpl:14:3
//|    |
//| 14 |   r := 1; //@ unreachable
//|    |   ^^^^^^^ never executed
//|
//|   note: no run can start: preconditions, where-clauses and axioms contradict each other
//|
//| total, 2 procedures  5 infeasible; 9 queries in T s of T s

//@ run: verify
//@ exit: 0
//| warning[contradiction]: no state satisfies this: nothing can run, and what is said below is about no run at all
//|  --> contradictory_definition.bpl:2:10
//|   |
//| 2 | function f(x: int): int { f(x) + 1 }
//|   |          ^
//|
//| 1 warning
//| applies
//|
//| does_not
//|
//| 0 checks: 0 verified, 0 verified under assumptions, 0 unverified, 0 failing

//@ run: failures
//@ exit: 0
//| warning[contradiction]: no state satisfies this: nothing can run, and what is said below is about no run at all
//|  --> contradictory_definition.bpl:2:10
//|   |
//| 2 | function f(x: int): int { f(x) + 1 }
//|   |          ^
//|
//| 1 warning
//| applies (contradictory_definition.bpl:4:1)
//|   never fails
//|   exact
//|   0 paths in 1 segments, 0 random runs agree, T s
//|   note: no run can start: the axioms contradict each other
//|
//| does_not (contradictory_definition.bpl:12:1)
//|   never fails
//|   exact
//|   passes: a = 0
//|   1 paths in 1 segments, 0 random runs agree, T s
//|
