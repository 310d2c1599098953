// Results of recursive procedures in conditions of failures, and what a call changes behind the recursive one.
procedure Even(n: int) returns (r: bool)
{
  if (n == 0) { r := true; } else { call r := Odd(n - 1); }
}

procedure Odd(n: int) returns (r: bool)
{
  if (n == 0) { r := false; } else { call r := Even(n - 1); }
}

procedure IsEven(n: int)
{
  var b: bool;
  call b := Even(n);
  assert b; //@ fails
}

var g: int;

procedure Count(n: int)
  modifies g;
{
  if (n > 0) {
    call Count(n - 1);
    g := g + 1;
  }
}

procedure Counted(n: int)
  modifies g;
{
  g := 0;
  call Count(n);
  assert g <= 0; //@ fails
}

// What is arbitrary is no result of the inputs.
procedure Any(n: int) returns (r: bool)
{
  if (n > 0) { call r := Any(n - 1); } else { r := true; }
  if (n == 1) { havoc r; }
}

procedure IsAny(n: int)
{
  var b: bool;
  call b := Any(n);
  assert b; //@ fails
}

//@ ask: failures --timeout 60
//@ run: failures --procedure IsEven --timeout 300
//@ exit: 0
//@ says: fails when n mod 2 == 1 && n >= 1
//@ says: exact

//@ run: failures --procedure Counted --timeout 60
//@ exit: 0
//@ says: fails when 1 <= n && n <= 2
//@ says: bounded
//@ never says: internal error
