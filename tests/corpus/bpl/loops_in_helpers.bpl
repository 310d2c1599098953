// What a helper's loop computes is known behind each of its calls, however many iterations it makes.
procedure doubled(n: int) returns (r: int)
{
  var i: int;
  r := 0;
  i := 0;
  while (i < n) {
    i := i + 1;
    r := r + 2;
  }
}

procedure called_twice(n: int, m: int)
{
  var a, b: int;
  call a := doubled(n);
  call b := doubled(m);
  if (a + b == 7) {
    a := 0; //@ unreachable?
  }
  if (a == 400 && b == 600) {
    b := 0; //@ covered? 300
  }
}

procedure add(n: int, map: [int]int) returns (out: [int]int)
{
  var i: int;
  out := map;
  i := 0;
  while (i < n) {
    i := i + 1;
    out[0] := out[0] + 3;
  }
}

procedure through_map(n: int)
{
  var x: [int]int;
  x[0] := 1;
  call x := add(n, x);
  if (x[0] == 2) {
    x[0] := 0; //@ unreachable?
  }
  if (x[0] == 1501) {
    x[0] := 0; //@ covered? 500
  }
}

procedure sum_of_two(n: int) returns (r: int)
{
  var s: int;
  call r := doubled(n);
  call s := doubled(n + 1);
  r := r + s;
}

procedure nested(n: int)
{
  var r: int;
  call r := sum_of_two(n);
  if (r == 7) {
    r := 0; //@ unreachable?
  }
  if (r == 2002) {
    r := 1; //@ covered? 501
  }
}

procedure thousand_rounds(x: int)
{
  var r: int;
  call r := doubled(1000);
  if (r == 2000) {
    if (x > 5) {
      r := 1; //@ covered? 1000
    } else {
      r := 2; //@ covered? 1000
    }
  } else {
    r := 3; //@ unreachable?
  }
}

//@ run: reach --timeout 60 --target loops_in_helpers.bpl:19 --target loops_in_helpers.bpl:22 --target loops_in_helpers.bpl:43 --target loops_in_helpers.bpl:46
//@ exit: 0
//@ says: unreachable  loops_in_helpers.bpl:19:
//@ says: reached      loops_in_helpers.bpl:22:
//@ says: unreachable  loops_in_helpers.bpl:43:
//@ says: reached      loops_in_helpers.bpl:46:

//@ run: cover --procedure nested --loop-proofs 60
//@ exit: 0
//@ says: nested  6 covered, 1 infeasible; 2 tests

//@ run: cover --procedure thousand_rounds --loop-proofs 60
//@ exit: 0
//@ says: thousand_rounds  6 covered, 1 infeasible; 2 tests

//@ run: cover --procedure called_twice --loop-proofs 60
//@ exit: 0
//@ says: called_twice  7 covered, 1 infeasible; 2 tests

//@ run: cover --procedure through_map --loop-proofs 60
//@ exit: 0
//@ says: through_map  6 covered, 1 infeasible; 2 tests
