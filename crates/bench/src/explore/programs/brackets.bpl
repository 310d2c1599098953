// Brackets that have to fit.

function {:bvbuiltin "bvadd"} add8(bv8, bv8): bv8;
function {:bvbuiltin "bvadd"} add(bv64, bv64): bv64;
function {:bvbuiltin "bvult"} ult(bv64, bv64): bool;

var B: [bv64]bv8;

procedure brackets() returns (d: bv8) {
  var i: bv64; var c: bv8;
  i := 0bv64; d := 0bv8;
  while (ult(i, 12bv64)) {
    c := B[i];
    if (c == 40bv8) { d := add8(d, 1bv8); }
    else if (c == 41bv8) { if (d == 0bv8) { return; } d := add8(d, 255bv8); }
    else if (c == 97bv8) { }
    else if (c == 0bv8) { break; }
    else { return; }
    i := add(i, 1bv64);
  }
  if (d == 4bv8) { assert i != 9bv64; }
}
