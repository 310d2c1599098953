// Two blocks that jump to each other, each entered from outside.
procedure Irreducible(b: bool) returns (r: int)
{
  var n: int;
start:
  n := 0; //@ covered
  r := 0;
  goto left, right;
left:
  r := r + 1; //@ covered
  n := n + 1;
  goto right, done;
right:
  r := r + 2; //@ covered
  n := n + 1;
  goto left, done;
done:
  if (n == 1 && r > 2) {
    r := 0; //@ unreachable
  }
  if (n == 2) {
    assert r == 3; //@ holds
    r := 9; //@ covered
  }
}
