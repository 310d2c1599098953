// Each procedure calls the next one twice: 128 calls of the last one, which multiplies. Pairs of an input and what comes of it decide
// what the caller asks, where paths with this arithmetic do not.
procedure F0(x: int) returns (y: int)
{
  y := (x * x + 3 * x) mod 1009;
  if (y > 500) { y := y - 1; } else { y := y + 1; }
}
procedure F1(x: int) returns (y: int)
{
  call y := F0(x);
  call y := F0(y);
  if (y > 1) { y := y - 1; } else { y := y + 1; }
}
procedure F2(x: int) returns (y: int)
{
  call y := F1(x);
  call y := F1(y);
  if (y > 2) { y := y - 1; } else { y := y + 1; }
}
procedure F3(x: int) returns (y: int)
{
  call y := F2(x);
  call y := F2(y);
  if (y > 3) { y := y - 1; } else { y := y + 1; }
}
procedure F4(x: int) returns (y: int)
{
  call y := F3(x);
  call y := F3(y);
  if (y > 4) { y := y - 1; } else { y := y + 1; }
}
procedure F5(x: int) returns (y: int)
{
  call y := F4(x);
  call y := F4(y);
  if (y > 5) { y := y - 1; } else { y := y + 1; }
}
procedure F6(x: int) returns (y: int)
{
  call y := F5(x);
  call y := F5(y);
  if (y > 6) { y := y - 1; } else { y := y + 1; }
}
procedure F7(x: int) returns (y: int)
{
  call y := F6(x);
  call y := F6(y);
  if (y > 7) { y := y - 1; } else { y := y + 1; }
}
procedure Main(x: int) returns (y: int)
{
  call y := F7(3);
  if (y == 293) {
    y := 1; //@ covered
  } else {
    y := 2; //@ unreachable?
  }
  if (x > 10 && x < 5) {
    y := 3; //@ unreachable
  }
}

//@ run: cover --procedure Main --calls auto --random-runs 0 --timeout 20
//@ exit: 0
//@ says: Main  5 covered, 2 infeasible
//@ never says: unknown
