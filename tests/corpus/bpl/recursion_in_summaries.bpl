// Where summaries stand for calls, too, what recursion to a depth leaves out is told as recursion.
procedure F(n: int) returns (r: int)
{
  var t: int;
  if (n <= 0) { r := 0; } else { call t := F(n - 1); r := t + 2; }
}
procedure Main(n: int)
{
  var r: int;
  call r := F(n);
  if (r < 0) {
    r := 1; //@ unreachable?
  }
  if (r > 1000) {
    r := 2; //@ covered? 600
  }
}

//@ run: cover --procedure Main --calls auto --random-runs 0 --loop-proofs 0
//@ exit: 0
//@ says: with at most 3 open calls of each recursive function
//@ says: only within 3 open calls of each recursive function; --recursion raises the bound
//@ never says: iterations of each loop
