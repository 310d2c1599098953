// Functions of SMT-LIB's other theories by their names: integers, reals, truth values, maps.
function {:builtin "abs"} abs(n: int): int;
function {:builtin "rem"} rem(a: int, b: int): int;
function {:builtin "div"} quotient(a: int, b: int): int;
function {:builtin "mod"} remainder(a: int, b: int): int;
function {:builtin "(_ divisible 3)"} by3(n: int): bool;
function {:builtin "is_int"} whole(r: real): bool;
function {:builtin "to_int"} floor(r: real): int;
function {:builtin "xor"} xor(a: bool, b: bool): bool;
function {:builtin "implies"} implies(a: bool, b: bool): bool;
function {:builtin "select"} at(m: [int]int, i: int): int;
function {:builtin "store"} with(m: [int]int, i: int, n: int): [int]int;

procedure values()
{
  assert abs(-7) == 7 && abs(7) == 7 && abs(0) == 0; //@ holds
  assert quotient(-7, 2) == -4 && quotient(-7, -2) == 4 && quotient(7, -2) == -3; //@ holds
  assert remainder(-7, 2) == 1 && remainder(-7, -2) == 1 && remainder(7, -2) == 1; //@ holds
  assert rem(7, 2) == 1 && rem(-7, 2) == 1 && rem(7, -2) == -1 && rem(-7, -2) == -1; //@ holds
  assert by3(-9) && by3(0) && !by3(10); //@ holds
  assert whole(3.0) && whole(-2.0) && !whole(0.5) && floor(-0.5) == -1; //@ holds
  assert xor(true, false) && !xor(true, true) && implies(false, false) && !implies(true, false); //@ holds
}

procedure symbolic(n: int, r: real, m: [int]int)
{
  assert abs(n) >= n; //@ holds
  assert rem(n, 4) == n mod 4; //@ holds
  assert whole(r) <==> real(floor(r)) == r; //@ holds
  assert at(with(m, 1, n), 1) == n; //@ holds
  assert abs(n) > n; //@ fails
  assert whole(r); //@ fails
}
