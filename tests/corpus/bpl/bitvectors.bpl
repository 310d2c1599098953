// Arithmetic of eight bits wraps; slices and concatenation.
function {:bvbuiltin "bvadd"} add8(bv8, bv8): bv8;
function {:bvbuiltin "bvult"} ult8(bv8, bv8): bool;
function {:bvbuiltin "bvslt"} slt8(bv8, bv8): bool;
function {:bvbuiltin "bvand"} and8(bv8, bv8): bv8;

procedure Bits(x: bv8) returns (r: int)
{
  r := 0; //@ covered
  if (ult8(add8(x, 1bv8), x)) {
    r := 1; //@ covered
    assert x == 255bv8; //@ holds
  }
  if (slt8(x, 0bv8) && ult8(x, 128bv8)) {
    r := 2; //@ unreachable
  }
  if (and8(x, 15bv8) == 16bv8) {
    r := 3; //@ unreachable
  }
  if (x[8:4] == 10bv4 && x[4:0] == 5bv4) {
    r := 4; //@ covered
    assert x == 165bv8; //@ holds
    assert x == 10bv4 ++ 5bv4; //@ holds
  }
}
