// HWM: the target is reached if the string A contains four words, in any order.
procedure main(A: [int]int) {
  var W0, W1, W2, W3: [int]int;
  var i, j, k, h0, h1, h2, h3: int;
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
  W2[0] := 65;
  W2[1] := 116;
  W2[2] := 0;
  W3[0] := 77;
  W3[1] := 105;
  W3[2] := 99;
  W3[3] := 114;
  W3[4] := 111;
  W3[5] := 115;
  W3[6] := 111;
  W3[7] := 102;
  W3[8] := 116;
  W3[9] := 33;
  W3[10] := 0;
  h0 := 0;
  h1 := 0;
  h2 := 0;
  h3 := 0;
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
  i := 0;
  while (A[i] != 0) {
    j := i;
    k := 0;
    while (W2[k] != 0 && A[j] != 0 && A[j] == W2[k]) {
      j := j + 1;
      k := k + 1;
    }
    if (W2[k] == 0) {
      h2 := 1;
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
    while (W3[k] != 0 && A[j] != 0 && A[j] == W3[k]) {
      j := j + 1;
      k := k + 1;
    }
    if (W3[k] == 0) {
      h3 := 1;
      break;
    }
    if (A[j] == 0) {
      break;
    }
    i := i + 1;
  }
  if (h0 == 1 && h1 == 1 && h2 == 1 && h3 == 1) {
    target: assert true;
  }
}
