// Functions with bodies are what they say.
function twice(x: int): int { x + x }
function {:inline} even(x: int): bool { x mod 2 == 0 }
function pick<T>(c: bool, a: T, b: T): T { if c then a else b }

procedure Functions(x: int) returns (r: int)
{
  r := twice(x); //@ covered?
  if (r != 2 * x) {
    r := 1; //@ unreachable
  }
  if (!even(twice(x))) {
    r := 2; //@ unreachable
  }
  if (even(x)) {
    r := 3; //@ covered?
  }
  if (pick(x > 0, x, 0 - x) < 0) {
    r := 4; //@ unreachable
  }
}
