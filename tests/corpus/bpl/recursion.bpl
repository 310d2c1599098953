// Recursion to a small depth decides this.
procedure Down(n: int) returns (r: int)
{
  r := 0; //@ covered
  if (n > 0) {
    r := 1; //@ covered
    if (n == 1) {
      call r := Down(n - 1);
      assert r == 0; //@ holds
    }
    r := 2; //@ covered
    if (n < 0) {
      r := 3; //@ unreachable
    }
  }
}
