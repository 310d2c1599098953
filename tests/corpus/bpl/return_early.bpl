// Code behind a return that always happens.
procedure Early(x: int) returns (r: int)
{
  r := 0; //@ covered
  if (x >= 0) {
    r := 1; //@ covered
    return;
  }
  if (x < 0) {
    r := 2; //@ covered
    return;
  }
  r := 3; //@ unreachable
}
