// A free precondition holds where a run starts. Nobody has to establish it at a call, so there it says nothing.
const level: int;

procedure Low(x: int) returns (y: int)
  free requires level == 1;
{
  y := x;
  if (level != 1) {
    y := 0; //@ unreachable
  }
}

procedure High(x: int) returns (y: int)
  free requires level == 2;
{
  call y := Low(x);
  if (y == 0 && x == 5) {
    y := 1; //@ covered
  }
}
