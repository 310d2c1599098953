// Reading over writing.
procedure Maps(a: [int]int, i: int, j: int) returns (r: int)
{
  var b: [int]int;
  b := a[i := 1][j := 2];
  r := b[i]; //@ covered
  if (r == 1) {
    r := 10; //@ covered
    if (i == j) {
      r := 11; //@ unreachable
    }
  } else if (i != j) {
    r := 12; //@ unreachable
  }
  b[i] := 7; //@ covered
  assert b[i] == 7; //@ holds
  assert b[j] == 2; //@ fails
  assert a[0] == 0; //@ fails
}
