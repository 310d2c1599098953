// The end of the file comes too early.
procedure Whole()
{
}

procedure Half(x: int) returns (r: int)
{
  if (x > 0) {
    r := (x +

//@ run: check
//@ exit: 2
//| error[boogie::syntax]: expected an expression, found the end of the file
//|   --> truncated.bpl:12:1
//|    |
//| 12 |
//|    | ^
//|
//| 1 error
//| with errors: procedures 1, bodies 1, functions 0, axioms 0, globals 0, constants 0
