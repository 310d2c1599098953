// The innermost branch needs all outer ones; one combination of three is impossible.
procedure Nested(a: int, b: int, c: int) returns (r: int)
{
  r := 0;
  if (a < b) {
    r := 1; //@ covered
    if (b < c) {
      r := 2; //@ covered
      if (c < a) {
        r := 3; //@ unreachable
      } else {
        r := 4; //@ covered
      }
    }
  }
  if (r == 4) {
    r := 5; //@ covered
  } else if (r == 2) {
    r := 6; //@ unreachable
  }
}
