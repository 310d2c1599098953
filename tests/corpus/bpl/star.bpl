// Free choice in conditions.
procedure Star(x: int) returns (r: int)
{
  r := x; //@ covered
  if (*) {
    r := 1; //@ covered
  } else {
    r := 2; //@ covered
  }
  if (r > 2) {
    r := 3; //@ unreachable
  }
  while (*) {
    r := r + 1; //@ covered
    if (r == 2) {
      r := 20; //@ covered
    }
  }
}
