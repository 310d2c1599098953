// A quantified value that cannot be decided is unknown where it is read, and nowhere else; a witness decides it.
procedure square(a: int) returns (r: int)
{
  var b: bool;
  b := (exists k: int :: k * k == a);
  if (a > 3) {
    r := 1; //@ covered
  } else {
    r := 2; //@ covered
  }
  assert r < 3; //@ holds
  assert b; //@ fails?
}

procedure unread(a: [int]int) returns (r: int)
{
  var b: bool;
  b := (forall k: int :: a[k] >= 0);
  r := a[0];
  if (r == 3) {
    r := 1; //@ covered
  }
}
