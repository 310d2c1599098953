// Every function of SMT-LIB's bit-vectors has its meaning, under either attribute: in the interpreter, in formulas and for
// the analyser. The values were computed from the standard's definitions by integers.
function {:bvbuiltin "bvsub"} bvsub(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvudiv"} bvudiv(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvurem"} bvurem(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvsdiv"} bvsdiv(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvsrem"} bvsrem(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvsmod"} bvsmod(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvnand"} bvnand(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvnor"} bvnor(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvxnor"} bvxnor(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvshl"} bvshl(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvlshr"} bvlshr(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvashr"} bvashr(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "ext_rotate_left"} ext_rotate_left(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "ext_rotate_right"} ext_rotate_right(a: bv8, b: bv8) returns (bv8);
function {:builtin "bvult"} bvult(a: bv8, b: bv8) returns (bool);
function {:builtin "bvule"} bvule(a: bv8, b: bv8) returns (bool);
function {:builtin "bvugt"} bvugt(a: bv8, b: bv8) returns (bool);
function {:builtin "bvuge"} bvuge(a: bv8, b: bv8) returns (bool);
function {:builtin "bvslt"} bvslt(a: bv8, b: bv8) returns (bool);
function {:builtin "bvsle"} bvsle(a: bv8, b: bv8) returns (bool);
function {:builtin "bvsgt"} bvsgt(a: bv8, b: bv8) returns (bool);
function {:builtin "bvsge"} bvsge(a: bv8, b: bv8) returns (bool);
function {:builtin "bvuaddo"} bvuaddo(a: bv8, b: bv8) returns (bool);
function {:builtin "bvsaddo"} bvsaddo(a: bv8, b: bv8) returns (bool);
function {:builtin "bvusubo"} bvusubo(a: bv8, b: bv8) returns (bool);
function {:builtin "bvssubo"} bvssubo(a: bv8, b: bv8) returns (bool);
function {:builtin "bvumulo"} bvumulo(a: bv8, b: bv8) returns (bool);
function {:builtin "bvsmulo"} bvsmulo(a: bv8, b: bv8) returns (bool);
function {:builtin "bvsdivo"} bvsdivo(a: bv8, b: bv8) returns (bool);
function {:bvbuiltin "bvnot"} bvnot(a: bv8) returns (bv8);
function {:bvbuiltin "bvneg"} bvneg(a: bv8) returns (bv8);
function {:bvbuiltin "bvcomp"} bvcomp(a: bv8, b: bv8) returns (bv1);
function {:bvbuiltin "bvredor"} bvredor(a: bv8) returns (bv1);
function {:bvbuiltin "bvredand"} bvredand(a: bv8) returns (bv1);
function {:bvbuiltin "bvnego"} bvnego(a: bv8) returns (bool);
function {:bvbuiltin "(_ repeat 2)"} twice(a: bv8) returns (bv16);
function {:bvbuiltin "repeat 1"} once(a: bv8) returns (bv8);
function {:bvbuiltin "rotate_left 3"} left3(a: bv8) returns (bv8);
function {:bvbuiltin "(_ rotate_right 11)"} right11(a: bv8) returns (bv8);
function {:bvbuiltin "sign_extend 8"} widen(a: bv8) returns (bv16);
function {:bvbuiltin "(_ extract 5 2)"} middle(a: bv8) returns (bv4);
function {:builtin "sbv_to_int"} signed(a: bv8) returns (int);
function {:builtin "ubv_to_int"} unsigned(a: bv8) returns (int);
function {:builtin "(_ int_to_bv 8)"} bits(n: int) returns (bv8);

procedure words()
{
  assert bvsub(200bv8, 3bv8) == 197bv8 && bvsub(3bv8, 200bv8) == 59bv8 && bvsub(130bv8, 250bv8) == 136bv8 && bvsub(7bv8, 0bv8) == 7bv8 && bvsub(128bv8, 255bv8) == 129bv8; //@ holds
  assert bvudiv(200bv8, 3bv8) == 66bv8 && bvudiv(3bv8, 200bv8) == 0bv8 && bvudiv(130bv8, 250bv8) == 0bv8 && bvudiv(7bv8, 0bv8) == 255bv8 && bvudiv(128bv8, 255bv8) == 0bv8; //@ holds
  assert bvurem(200bv8, 3bv8) == 2bv8 && bvurem(3bv8, 200bv8) == 3bv8 && bvurem(130bv8, 250bv8) == 130bv8 && bvurem(7bv8, 0bv8) == 7bv8 && bvurem(128bv8, 255bv8) == 128bv8; //@ holds
  assert bvsdiv(200bv8, 3bv8) == 238bv8 && bvsdiv(3bv8, 200bv8) == 0bv8 && bvsdiv(130bv8, 250bv8) == 21bv8 && bvsdiv(7bv8, 0bv8) == 255bv8 && bvsdiv(128bv8, 255bv8) == 128bv8; //@ holds
  assert bvsrem(200bv8, 3bv8) == 254bv8 && bvsrem(3bv8, 200bv8) == 3bv8 && bvsrem(130bv8, 250bv8) == 0bv8 && bvsrem(7bv8, 0bv8) == 7bv8 && bvsrem(128bv8, 255bv8) == 0bv8; //@ holds
  assert bvsmod(200bv8, 3bv8) == 1bv8 && bvsmod(3bv8, 200bv8) == 203bv8 && bvsmod(130bv8, 250bv8) == 0bv8 && bvsmod(7bv8, 0bv8) == 7bv8 && bvsmod(128bv8, 255bv8) == 0bv8; //@ holds
  assert bvnand(200bv8, 3bv8) == 255bv8 && bvnand(3bv8, 200bv8) == 255bv8 && bvnand(130bv8, 250bv8) == 125bv8 && bvnand(7bv8, 0bv8) == 255bv8 && bvnand(128bv8, 255bv8) == 127bv8; //@ holds
  assert bvnor(200bv8, 3bv8) == 52bv8 && bvnor(3bv8, 200bv8) == 52bv8 && bvnor(130bv8, 250bv8) == 5bv8 && bvnor(7bv8, 0bv8) == 248bv8 && bvnor(128bv8, 255bv8) == 0bv8; //@ holds
  assert bvxnor(200bv8, 3bv8) == 52bv8 && bvxnor(3bv8, 200bv8) == 52bv8 && bvxnor(130bv8, 250bv8) == 135bv8 && bvxnor(7bv8, 0bv8) == 248bv8 && bvxnor(128bv8, 255bv8) == 128bv8; //@ holds
  assert bvshl(200bv8, 3bv8) == 64bv8 && bvshl(3bv8, 200bv8) == 0bv8 && bvshl(130bv8, 250bv8) == 0bv8 && bvshl(7bv8, 0bv8) == 7bv8 && bvshl(128bv8, 255bv8) == 0bv8; //@ holds
  assert bvlshr(200bv8, 3bv8) == 25bv8 && bvlshr(3bv8, 200bv8) == 0bv8 && bvlshr(130bv8, 250bv8) == 0bv8 && bvlshr(7bv8, 0bv8) == 7bv8 && bvlshr(128bv8, 255bv8) == 0bv8; //@ holds
  assert bvashr(200bv8, 3bv8) == 249bv8 && bvashr(3bv8, 200bv8) == 0bv8 && bvashr(130bv8, 250bv8) == 255bv8 && bvashr(7bv8, 0bv8) == 7bv8 && bvashr(128bv8, 255bv8) == 255bv8; //@ holds
  assert ext_rotate_left(200bv8, 3bv8) == 70bv8 && ext_rotate_left(3bv8, 200bv8) == 3bv8 && ext_rotate_left(130bv8, 250bv8) == 10bv8 && ext_rotate_left(7bv8, 0bv8) == 7bv8 && ext_rotate_left(128bv8, 255bv8) == 64bv8; //@ holds
  assert ext_rotate_right(200bv8, 3bv8) == 25bv8 && ext_rotate_right(3bv8, 200bv8) == 3bv8 && ext_rotate_right(130bv8, 250bv8) == 160bv8 && ext_rotate_right(7bv8, 0bv8) == 7bv8 && ext_rotate_right(128bv8, 255bv8) == 1bv8; //@ holds
}

procedure relations()
{
  assert !bvult(200bv8, 3bv8) && bvult(3bv8, 200bv8) && bvult(130bv8, 250bv8) && !bvult(7bv8, 0bv8) && bvult(128bv8, 255bv8); //@ holds
  assert !bvule(200bv8, 3bv8) && bvule(3bv8, 200bv8) && bvule(130bv8, 250bv8) && !bvule(7bv8, 0bv8) && bvule(128bv8, 255bv8); //@ holds
  assert bvugt(200bv8, 3bv8) && !bvugt(3bv8, 200bv8) && !bvugt(130bv8, 250bv8) && bvugt(7bv8, 0bv8) && !bvugt(128bv8, 255bv8); //@ holds
  assert bvuge(200bv8, 3bv8) && !bvuge(3bv8, 200bv8) && !bvuge(130bv8, 250bv8) && bvuge(7bv8, 0bv8) && !bvuge(128bv8, 255bv8); //@ holds
  assert bvslt(200bv8, 3bv8) && !bvslt(3bv8, 200bv8) && bvslt(130bv8, 250bv8) && !bvslt(7bv8, 0bv8) && bvslt(128bv8, 255bv8); //@ holds
  assert bvsle(200bv8, 3bv8) && !bvsle(3bv8, 200bv8) && bvsle(130bv8, 250bv8) && !bvsle(7bv8, 0bv8) && bvsle(128bv8, 255bv8); //@ holds
  assert !bvsgt(200bv8, 3bv8) && bvsgt(3bv8, 200bv8) && !bvsgt(130bv8, 250bv8) && bvsgt(7bv8, 0bv8) && !bvsgt(128bv8, 255bv8); //@ holds
  assert !bvsge(200bv8, 3bv8) && bvsge(3bv8, 200bv8) && !bvsge(130bv8, 250bv8) && bvsge(7bv8, 0bv8) && !bvsge(128bv8, 255bv8); //@ holds
  assert !bvuaddo(200bv8, 3bv8) && !bvuaddo(3bv8, 200bv8) && bvuaddo(130bv8, 250bv8) && !bvuaddo(7bv8, 0bv8) && bvuaddo(128bv8, 255bv8); //@ holds
  assert !bvsaddo(200bv8, 3bv8) && !bvsaddo(3bv8, 200bv8) && bvsaddo(130bv8, 250bv8) && !bvsaddo(7bv8, 0bv8) && bvsaddo(128bv8, 255bv8); //@ holds
  assert !bvusubo(200bv8, 3bv8) && bvusubo(3bv8, 200bv8) && bvusubo(130bv8, 250bv8) && !bvusubo(7bv8, 0bv8) && bvusubo(128bv8, 255bv8); //@ holds
  assert !bvssubo(200bv8, 3bv8) && !bvssubo(3bv8, 200bv8) && !bvssubo(130bv8, 250bv8) && !bvssubo(7bv8, 0bv8) && !bvssubo(128bv8, 255bv8); //@ holds
  assert bvumulo(200bv8, 3bv8) && bvumulo(3bv8, 200bv8) && bvumulo(130bv8, 250bv8) && !bvumulo(7bv8, 0bv8) && bvumulo(128bv8, 255bv8); //@ holds
  assert bvsmulo(200bv8, 3bv8) && bvsmulo(3bv8, 200bv8) && bvsmulo(130bv8, 250bv8) && !bvsmulo(7bv8, 0bv8) && bvsmulo(128bv8, 255bv8); //@ holds
  assert !bvsdivo(200bv8, 3bv8) && !bvsdivo(3bv8, 200bv8) && !bvsdivo(130bv8, 250bv8) && !bvsdivo(7bv8, 0bv8) && bvsdivo(128bv8, 255bv8); //@ holds
}

procedure single()
{
  assert bvnot(200bv8) == 55bv8 && bvnot(3bv8) == 252bv8 && bvnot(0bv8) == 255bv8 && bvnot(255bv8) == 0bv8 && bvnot(128bv8) == 127bv8; //@ holds
  assert bvneg(200bv8) == 56bv8 && bvneg(3bv8) == 253bv8 && bvneg(0bv8) == 0bv8 && bvneg(255bv8) == 1bv8 && bvneg(128bv8) == 128bv8; //@ holds
  assert bvcomp(7bv8, 7bv8) == 1bv1 && bvcomp(7bv8, 6bv8) == 0bv1; //@ holds
  assert bvredor(0bv8) == 0bv1 && bvredor(16bv8) == 1bv1 && bvredand(255bv8) == 1bv1 && bvredand(254bv8) == 0bv1; //@ holds
  assert bvnego(128bv8) && !bvnego(127bv8); //@ holds
  assert twice(200bv8) == 51400bv16 && once(9bv8) == 9bv8; //@ holds
  assert left3(200bv8) == 70bv8 && right11(200bv8) == 25bv8; //@ holds
  assert widen(200bv8) == 65480bv16 && widen(3bv8) == 3bv16 && middle(200bv8) == 2bv4; //@ holds
  assert signed(200bv8) == -56 && signed(3bv8) == 3 && unsigned(200bv8) == 200 && bits(-1) == 255bv8 && bits(300) == 44bv8; //@ holds
}

procedure symbolic(a: bv8, b: bv8) returns (r: bool)
{
  r := false;
  assert bvsge(a, b) <==> !bvslt(a, b); //@ holds
  assert bvugt(a, b) ==> bvuge(a, b); //@ holds
  assert bvcomp(a, b) == 1bv1 <==> a == b; //@ holds
  assert bvsaddo(a, b) ==> a != 0bv8; //@ holds
  if (bvsgt(a, b) && bvult(a, b)) {
    r := true; //@ covered
  }
  if (bvsgt(a, b) && bvsge(b, a)) {
    r := false; //@ unreachable
  }
  assert a != 7bv8; //@ fails
}
