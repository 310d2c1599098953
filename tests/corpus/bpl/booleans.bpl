// Connectives and conditional expressions.
procedure Booleans(a: bool, b: bool, x: int) returns (r: int)
{
  r := if a then 1 else 2; //@ covered
  if ((a ==> b) && a && !b) {
    r := 3; //@ unreachable
  }
  if ((a <==> b) && a && b) {
    r := 4; //@ covered
  }
  if (r == 2 && a) {
    r := 5; //@ unreachable
  }
  if ((if a then x else 0 - x) > 0) {
    r := 6; //@ covered
  }
  assert a || !a; //@ holds
  assert a || b; //@ fails
}
