// Two branches, both open; a third that contradicts the first.
procedure Branches(x: int) returns (y: int)
{
  y := 0; //@ covered
  if (x > 10) {
    y := 1; //@ covered
    if (x < 5) {
      y := 2; //@ unreachable
    }
  } else {
    y := 3; //@ covered
  }
  y := y + 1; //@ covered
}

//@ run: cover
//@ run: cover --deny infeasible
//@ run: check --print
