// TwoLoops: the second loop ends only if a multiple of 4 is an even number plus 7.
procedure main(n: int) {
  var i, j: int;
  i := 0;
  j := 0;
  while (i < n) {
    i := i + 4;
  }
  while (i != j + 7) {
    j := j + 2;
  }
  target: assert true;
}
