// Sorting by exchange, over unbounded integers.

procedure sort(a: [int]int, n: int) returns (b: [int]int, swaps: int) {
  var i, j, t: int;
  b := a;
  swaps := 0;
  if (n < 0 || n > 5) { return; }
  i := 0;
  while (i < n) {
    j := i + 1;
    while (j < n) {
      if (b[i] > b[j]) { t := b[i]; b := b[i := b[j]][j := t]; swaps := swaps + 1; }
      j := j + 1;
    }
    i := i + 1;
  }
  if (swaps == 10) { assert b[0] + b[4] != 100; }
  if (n == 5 && swaps == 3 && b[1] == b[2]) { swaps := -1; }
}
