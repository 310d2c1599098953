// A brace that is not closed costs its procedure, not the next one.
procedure Unclosed(x: int) returns (r: int)
{
  if (x > 0) {
    r := x;
}

procedure Next(x: int) returns (r: int)
{
  r := x;
}

//@ run: cover
//@ exit: 2
//| error[boogie::syntax]: expected a statement, found `procedure`
//|  --> unclosed.bpl:8:1
//|   |
//| 8 | procedure Next(x: int) returns (r: int)
//|   | ^^^^^^^^^
//|
//| 1 error
//| Next  1 covered; 1 test
//|
//|   test  x  outcome
//|      1  0  returns
//|
//| total, 1 procedure  1 covered; 1 test; 0 queries in T s of T s
