// Runs to a name start in `main` if there is one; runs to a line start in its procedure.
procedure check(x: int)
{
  if (x < 0) {
    NEGATIVE: assert true;
  }
}

procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  call check(i);
}

//@ run: reach --timeout 30 --target NEGATIVE
//@ exit: 0
//@ says: unreachable  where_runs_start.bpl:5:15 from main, for any number of loop iterations

//@ run: reach --timeout 30 --target where_runs_start.bpl:5
//@ exit: 0
//@ says: reached      where_runs_start.bpl:5:5 from check
