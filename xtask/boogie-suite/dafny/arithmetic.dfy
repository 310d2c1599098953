// Numbers of every kind, subset types, conversions, calculations, non-determinism.
newtype Byte = x | 0 <= x < 256
type Even = n: int | n % 2 == 0 witness 2
const Limit: int := 100

method Bits(a: bv8, b: bv8) returns (c: bv8)
  ensures c == (a & b) | (a ^ b)
{
  c := a | b;
  c := (c << 1) >> 1 | !(!c);
  c := c.RotateLeft(3).RotateRight(3);
}

method Mixed(x: int, y: int, r: real, ch: char) returns (q: int, s: real, b: Byte)
  requires y != 0
{
  q := x / y + x % y;
  s := r * 2.5 - (q as real) / 3.0;
  b := if 0 <= q < 256 then q as Byte else 0;
  if * { q := *; assume 0 <= q < Limit; }
  q := if ch == 'z' then s.Floor else q;
}

lemma Distributes(a: int, b: int, c: int)
  ensures a * (b + c) == a * b + a * c
{
  calc {
    a * (b + c);
  ==
    a * b + a * c;
  }
}

method Guarded(n: int) returns (m: int)
  decreases *
{
  m := n;
  if {
    case n > 0 => m := 1;
    case n < 5 => m := 2;
  }
  while
    decreases *
  {
    case m > 10 => m := m - 1;
    case m < -10 => m := m + 1;
  }
}
