// A builtin function that only a solver knows has no value in a run that nobody asked a solver about: nothing is claimed of what
// depends on it, however often random inputs would seem to show it.
type {:builtin "String"} string;
function {:builtin "str.len"} length(s: string): int;
function {:builtin "str.from_int"} decimal(n: int): string;

procedure p(n: int) returns (r: int)
{
  r := 0;
  if (length(decimal(n)) == -1) {
    r := 1; //@ unreachable
  }
  assert length(decimal(n)) >= 0; //@ holds
  assert length(decimal(n)) <= 4; //@ fails
}
