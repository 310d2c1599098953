// What an assertion establishes holds behind it.
procedure Asserts(x: int, y: int) returns (r: int)
{
  r := 0;
  assert x > y; //@ fails
  assert y < x; //@ holds
  if (x == y) {
    r := 1; //@ unreachable
  }
  assert x != y; //@ holds
  r := x - y; //@ covered
  assert r > 1; //@ fails
}

//@ run: cover
