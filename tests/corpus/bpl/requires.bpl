// A precondition rules out a branch; a free one does so as well.
procedure Contract(x: int, y: int) returns (r: int)
  requires x > 0;
  free requires y == x + 1;
  ensures r > 0; //@ holds
{
  r := x;
  if (x <= 0) {
    r := 0 - 1; //@ unreachable
  }
  if (y <= 1) {
    r := 0 - 2; //@ unreachable
  }
  if (y == 2) {
    r := 7; //@ covered
  }
}

//@ run: cover
