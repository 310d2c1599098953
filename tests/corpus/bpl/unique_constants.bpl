// Inputs that are tried have unique constants that differ, and constants in the order that is declared.
type Color;
const unique red: Color;
const unique green: Color;
const unique low: int;
const unique high: int;
const root: Color extends complete;
const leaf: Color extends unique root;
procedure differ(c: Color)
{
  assert red != green; //@ holds
  assert low != high; //@ holds
  assert c == red || c == green; //@ fails
}
procedure given(c: Color, n: int)
{
  assert c != red; //@ fails
  assert n != low; //@ fails
}
procedure ordered(n: int)
{
  assert leaf <: root; //@ holds?
  assert n != 3; //@ fails?
}

//@ run: failures --function given
//@ exit: 0
//@ says: fails when red == c || low == n

//@ run: failures --function ordered
//@ exit: 0
//| ordered (unique_constants.bpl:20:1)
//|   fails when leaf <: root && n == 3
//|   exact
//|   nothing fails with: requires !(leaf <: root) || n != 3;
//|   2 paths in 1 segments, 0 random runs agree, T s
//|
