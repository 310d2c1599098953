// The end of the file comes too early.
procedure Whole()
{
}

procedure Half(x: int) returns (r: int)
{
  if (x > 0) {
    r := (x +

//@ run: check
