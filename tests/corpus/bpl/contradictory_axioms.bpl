// Two of three axioms contradict each other. They are named.
const c: int;
function g(n: int): int;
axiom c > 3;
axiom (forall n: int :: {g(n)} g(n) > n);
axiom g(c) < c;
procedure p(a: int)
{
  assert a == 0; //@ holds?
}

//@ run: cover
//@ exit: 0
//| warning[contradiction]: no state satisfies this: nothing can run, and what is said below is about no run at all
//|  --> contradictory_axioms.bpl:5:1
//|   |
//| 5 | axiom (forall n: int :: {g(n)} g(n) > n);
//|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//| 6 | axiom g(c) < c;
//|   | --------------- together with this
//|
//| 1 warning
//| p  1 infeasible; assertions: 1 holds
//|
//| infeasible: no execution reaches this
//|  --> contradictory_axioms.bpl:9:3
//|   |
//| 9 |   assert a == 0; //@ holds?
//|   |   ^^^^^^^^^^^^^^ never executed
//|
//|   note: no run can start: preconditions, where-clauses and axioms contradict each other
//|
//| total, 1 procedure  1 infeasible; assertions: 1 holds; 4 queries in T s of T s
