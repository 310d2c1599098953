// OneLoop: i is a multiple of 4 whenever the loop ends, so the target is never reached.
procedure main(n: int) {
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 4;
  }
  if (i == 15) {
    target: assert true;
  }
}
