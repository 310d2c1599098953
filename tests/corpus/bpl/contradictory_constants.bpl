// A constant without a value: no state satisfies its axioms, whoever asks, and whatever the procedure does.
const limit: int;
axiom limit > 7;
axiom limit < 3;
procedure p(n: int) returns (r: int)
{
  if (n > 0) {
    r := 1; //@ unreachable
  } else {
    r := 2; //@ unreachable
  }
}

//@ run: reach --target contradictory_constants.bpl:8
//@ exit: 0
//@ says: unknown
//@ says: no state satisfies the axioms and definitions, so nothing can run

//@ run: explore
//@ exit: 0
//@ says: 4 unknown
//@ says: no state satisfies the axioms and definitions, so nothing can run
