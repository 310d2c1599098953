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
//@ run: verify
//@ run: failures
