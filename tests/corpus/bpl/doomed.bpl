// Every execution through the marked code fails or blocks.
procedure Doomed(x: int) returns (r: int)
{
  r := 0; //@ covered
  if (x > 3) {
    r := 1; //@ doomed
    assert x <= 3; //@ fails
  }
  if (x == 0) {
    r := 2; //@ doomed
    assume x != 0; //@ doomed
  }
  r := r + 1; //@ covered
}
