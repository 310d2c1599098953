// Two dimensions, and maps of maps; equal maps are equal everywhere.
procedure Grid(m: [int,int]bool, n: [int][int]bool, x: int) returns (r: int)
{
  r := 0; //@ covered
  if (m[x, 1] && !m[1, x]) {
    r := 1; //@ covered
    if (x == 1) {
      r := 2; //@ unreachable
    }
  }
  if (n[x] == n[0] && n[x][3] != n[0][3]) {
    r := 3; //@ unreachable
  }
  if (n[x] != n[0]) {
    r := 4; //@ covered
    assert x != 0; //@ holds
  }
}
