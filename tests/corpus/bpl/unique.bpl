// Unique constants of one type differ; plain ones may coincide.
type Color;
const unique Red: Color;
const unique Green: Color;
const Any: Color;

procedure Unique(c: Color) returns (r: int)
{
  r := 0; //@ covered
  if (c == Red) {
    r := 1; //@ covered
    if (c == Green) {
      r := 2; //@ unreachable
    }
  }
  if (c == Any && Any == Green) {
    r := 3; //@ covered
  }
  assert Red != Green; //@ holds
  assert Any != Red; //@ fails
}
