// Parallel assignment swaps; a sequence of two does not.
procedure Swap(a: int, b: int) returns (x: int, y: int)
{
  x, y := a, b;
  x, y := y, x; //@ covered
  if (x != b || y != a) {
    x := 0; //@ unreachable
  }
  x := y; //@ covered
  y := x;
  if (a != b && y == b) {
    y := 1; //@ unreachable
  }
  assert x == y; //@ holds
}
