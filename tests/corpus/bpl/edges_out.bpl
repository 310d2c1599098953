// An edge out of the middle: dead where conditions contradict each other, taken where they do not.
procedure Dead(x: int) returns (r: int)
{
  r := 1;
  if (x > 5) {
    if (x < 3) {
      r := 3; //@ unreachable
      goto out;
    }
  }
  r := 2; //@ covered
out: r := r + 1; //@ covered
}

procedure Taken(x: int) returns (r: int)
{
  r := 1;
  if (x == 7) {
    r := 3; //@ covered
    goto out;
  }
  r := 2; //@ covered
out: r := r + 1; //@ covered
}
