// MatrIR: the target is reached if some row of the upper triangle of a large matrix has more than 15 elements
// between 10 and 100.
procedure main(A: [int,int]int, m: int, n: int) {
  var i, j, k, w: int;
  w := 0;
  i := 0;
  while (i < m) {
    k := 0;
    j := i;
    while (j < n) {
      if (A[i, j] > 10 && A[i, j] < 100) {
        k := k + 1;
      }
      j := j + 1;
    }
    if (k > 15) {
      w := 1;
      break;
    }
    i := i + 1;
  }
  if (m > 20 && n > 20 && w == 1) {
    target: assert true;
  }
}
