// A table that is filled, looked up and changed at places that inputs say.

function {:bvbuiltin "bvadd"} add(bv64, bv64): bv64;
function {:bvbuiltin "bvmul"} mul(bv64, bv64): bv64;
function {:bvbuiltin "bvxor"} xor(bv64, bv64): bv64;
function {:bvbuiltin "bvult"} ult(bv64, bv64): bool;

var M: [bv64]bv64;

procedure lookup(x: bv64, y: bv64) modifies M; {
  var i: bv64;
  i := 0bv64;
  while (ult(i, 64bv64)) { M[i] := xor(mul(i, 37bv64), 11bv64); i := add(i, 1bv64); }
  assume ult(x, 64bv64) && ult(y, 64bv64);
  if (M[x] == 122bv64) {
    if (ult(M[y], M[x])) { M[x] := y; if (M[M[x]] == 11bv64) { assert x == y; } }
  }
}
