// Each declaration has an error of its own; the last one has none and is analysed.
procedure Types(x: int, b: bool) returns (r: int)
{
  r := x + b;
}

procedure Names() returns (r: int)
{
  r := missing;
}

procedure Good(x: int) returns (r: int)
{
  r := 0;
  if (x > r) {
    r := x;
  }
}

//@ run: check
//@ run: cover
