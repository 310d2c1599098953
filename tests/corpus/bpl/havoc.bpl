// Havoc forgets; what was known of other variables stays.
procedure Havoc(x: int) returns (r: int)
{
  var y: int;
  y := x; //@ covered
  r := 0;
  havoc r;
  if (r == 42) {
    r := 1; //@ covered
  }
  if (y != x) {
    r := 2; //@ unreachable
  }
  havoc y;
  if (y != x) {
    r := 3; //@ covered
  }
}
