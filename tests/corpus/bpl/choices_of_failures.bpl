// Whether a run fails may be the program's choice: then an input can fail, and need not.

procedure Chosen(x: int)
{
  var a: int;
  if (*) { a := 1; } else { a := 3; }
  assert a == 3; //@ fails
}

procedure Jump(x: int)
{
  goto A, B;
A:
  assume x > 0;
  assert false; //@ fails
B:
  return;
}

procedure Rounds(x: int)
{
  var a: int;
  a := 0;
  while (*) invariant a >= 0; { a := a + 1; }
  assert a != x; //@ fails 9
}

// Assumptions that exclude each other are a condition in other words.
procedure Condition(x: int)
{
  goto A, B;
A:
  assume x > 0;
  assert x != 4; //@ fails
  return;
B:
  assume x <= 0;
  return;
}

procedure Caller(x: int)
{
  call Chosen(x); //@ covered
}

//@ run: failures
//@ exit: 0
//@ says: can always fail
//@ says: can fail when x >= 1
//@ says: can fail when x >= 0
//@ says: fails when x == 4
