// Where a variable alone is the condition.
procedure Assumed(b: bool) returns (r: int)
{
  assume b; //@ covered
  r := 1; //@ covered
}

procedure Branched(b: bool, c: bool) returns (r: int)
{
  if (b) {
    assume c;
    r := 1; //@ covered
    if (!c) {
      r := 2; //@ unreachable
    }
  } else {
    r := 3; //@ covered
  }
}
