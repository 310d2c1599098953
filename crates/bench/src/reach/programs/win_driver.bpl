// WinDriver: packets of a stream are copied into a two-dimensional array, at the row that each packet names in its
// header; the target is reached if a row that was filled is then found empty, as two packets named the same row.
procedure main(B: [int]int, m: int, n: int) {
  var A: [int,int]int;
  var seen: [int]int;
  var i, j, id: int;
  assume m > 1 && n > 0;
  i := 0;
  while (i < m) {
    id := B[i * (n + 1)];
    assume 0 <= id && id < m;
    j := 0;
    while (j < n) {
      A[id, j] := B[i * (n + 1) + j + 1];
      j := j + 1;
    }
    seen[id] := i;
    i := i + 1;
  }
  i := 0;
  while (i < m) {
    id := B[i * (n + 1)];
    if (seen[id] != i) {
      target: assert true;
    }
    i := i + 1;
  }
}
