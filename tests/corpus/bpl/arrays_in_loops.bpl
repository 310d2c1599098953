// Arrays that loops write: at an index that is read from data, and at a fixed cell.
procedure ReadIndex(n: int, m: int, B: [int]int, C: [int]int) returns (r: int)
{
  var A: [int]int;
  var i: int;
  i, r := 0, 0;
  A := C;
  while (i < n) {
    A[B[i]] := 7;
    i := i + 1;
  }
  if (A[m] != C[m] && A[m] != 7) {
    r := 1; //@ unreachable?
  }
  if (0 <= m && m < n && A[B[m]] != 7) {
    r := 2; //@ unreachable?
  }
  if (n > 0 && A[m] != 7) {
    r := 3; //@ covered 1
  }
}

procedure FixedCell(n: int, k: int, m: int, C: [int]int) returns (r: int)
{
  var A: [int]int;
  var i: int;
  i, r := 0, 0;
  A := C;
  while (i < n) {
    A[k] := A[k] + 3;
    i := i + 1;
  }
  if (n >= 0 && A[k] != C[k] + 3 * n) {
    r := 1; //@ unreachable?
  }
  if (m != k && A[m] != C[m]) {
    r := 2; //@ unreachable?
  }
  if (A[k] == C[k] + 6) {
    r := 3; //@ covered 2
  }
}

//@ run: reach --target arrays_in_loops.bpl:13 --target arrays_in_loops.bpl:16 --target arrays_in_loops.bpl:34 --target arrays_in_loops.bpl:37
//@ exit: 0
//@ says: unreachable  arrays_in_loops.bpl:13:
//@ says: unreachable  arrays_in_loops.bpl:16:
//@ says: unreachable  arrays_in_loops.bpl:34:
//@ says: unreachable  arrays_in_loops.bpl:37:
