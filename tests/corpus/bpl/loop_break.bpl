// Leaving loops early, also two at once.
procedure Breaks(n: int, m: int) returns (r: int)
{
  var i: int;
  var j: int;
  i := 0;
  r := 0;
  outer: while (i < n) {
    j := 0; //@ covered 1
    while (j < m) {
      if (j == 2) {
        r := 1; //@ covered 3
        break outer;
      }
      if (i == 1) {
        r := 2; //@ covered 2
        break;
      }
      if (j > 2) {
        r := 3; //@ unreachable
      }
      j := j + 1;
    }
    i := i + 1;
  }
  if (r == 1 && n <= 0) {
    r := 4; //@ unreachable
  }
}
