// A sum over bytes that guards what lies behind it.

function {:bvbuiltin "bvadd"} add8(bv8, bv8): bv8;
function {:bvbuiltin "bvmul"} mul8(bv8, bv8): bv8;
function {:bvbuiltin "bvadd"} add(bv64, bv64): bv64;
function {:bvbuiltin "bvult"} ult(bv64, bv64): bool;

var B: [bv64]bv8;

procedure checksum(n: bv64) {
  var i: bv64; var s: bv8;
  assume ult(n, 8bv64);
  i := 0bv64; s := 0bv8;
  while (ult(i, n)) { s := add8(mul8(s, 31bv8), B[i]); i := add(i, 1bv64); }
  if (n == 5bv64 && s == 77bv8) {
    if (B[0bv64] == 66bv8) { if (B[1bv64] == 85bv8) { assert B[2bv64] != 71bv8; } }
  }
}
