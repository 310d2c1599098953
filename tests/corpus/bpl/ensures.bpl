// One postcondition can fail, the other cannot; a free one is not checked.
procedure Post(x: int) returns (r: int)
  ensures r >= x; //@ holds
  ensures r > x; //@ fails
  free ensures false;
{
  if (x < 0) {
    r := 0; //@ covered
  } else {
    r := x;
  }
}
