// A datatype with two constructors.
type {:datatype} List;
function {:constructor} Nil(): List;
function {:constructor} Cons(head: int, tail: List): List;

procedure Lists(l: List) returns (r: int)
{
  r := 0; //@ covered
  if (is#Cons(l)) {
    r := head#Cons(l); //@ covered
    if (l == Nil()) {
      r := 1; //@ unreachable
    }
    if (tail#Cons(l) == l) {
      r := 2; //@ unreachable
    }
    if (is#Nil(tail#Cons(l)) && head#Cons(l) == 3) {
      r := 3; //@ covered
      assert l == Cons(3, Nil()); //@ holds
    }
  } else {
    assert l == Nil(); //@ holds
  }
  assert l != Nil(); //@ fails
}
