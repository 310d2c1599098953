// Where-clauses hold of inputs, of locals, and after havoc; not after assignment.
var g: int where g > 0;

procedure Where(p: int where p >= 10) returns (r: int where r < 0)
  modifies g;
{
  var l: int where l == 3;
  if (p < 10 || g <= 0) {
    r := 1; //@ unreachable
  }
  if (l != 3) {
    r := 2; //@ unreachable
  }
  if (r >= 0) {
    r := 3; //@ unreachable
  }
  g := 0 - 1; //@ covered
  if (g < 0) {
    r := 4; //@ covered
  }
  havoc g;
  if (g < 0) {
    r := 5; //@ unreachable
  }
  havoc l;
  assert l == 3; //@ holds
}
