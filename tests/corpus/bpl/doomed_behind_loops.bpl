// Where runs within the bound fail, longer ones may return.

procedure Longer(n: int, m: [int]int) returns (r: int)
{
  var i: int;
  r := 0;
  if (n >= 10) {
    i := 0;
    while (i < n) {
      if (m[i] == i * i + 17) { r := r + 1; }
      i := i + 1;
    }
    assume r == n;
  }
  assert n >= 10; //@ fails
  r := 10; //@ covered? 12
}

procedure Hidden(n: int, m: int) returns (r: int)
{
  r := 1;
  if (n == 123456) {
    while (r < m) { r := r + 1; }
    if (r < 8) { assume false; }
  }
  if (n != 123456) { assert false; } //@ fails
  r := 10; //@ covered? 12
}

// What fails at once fails behind any loop.
procedure AtOnce(n: int)
{
  var i: int;
  i := 0;
  while (i < n) { i := i + 1; }
  i := 5; //@ doomed?
  assert i == 6; //@ fails
}
