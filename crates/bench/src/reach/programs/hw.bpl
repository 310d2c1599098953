// HW: the target is reached if the string A contains "Hello" and "World".
procedure main(A: [int]int) {
  var W0, W1: [int]int;
  var i, j, k, h0, h1: int;
  W0[0] := 72;
  W0[1] := 101;
  W0[2] := 108;
  W0[3] := 108;
  W0[4] := 111;
  W0[5] := 0;
  W1[0] := 87;
  W1[1] := 111;
  W1[2] := 114;
  W1[3] := 108;
  W1[4] := 100;
  W1[5] := 0;
  h0 := 0;
  h1 := 0;
  i := 0;
  while (A[i] != 0) {
    j := i;
    k := 0;
    while (W0[k] != 0 && A[j] != 0 && A[j] == W0[k]) {
      j := j + 1;
      k := k + 1;
    }
    if (W0[k] == 0) {
      h0 := 1;
      break;
    }
    if (A[j] == 0) {
      break;
    }
    i := i + 1;
  }
  i := 0;
  while (A[i] != 0) {
    j := i;
    k := 0;
    while (W1[k] != 0 && A[j] != 0 && A[j] == W1[k]) {
      j := j + 1;
      k := k + 1;
    }
    if (W1[k] == 0) {
      h1 := 1;
      break;
    }
    if (A[j] == 0) {
      break;
    }
    i := i + 1;
  }
  if (h0 == 1 && h1 == 1) {
    target: assert true;
  }
}
