// Conditions of failures with one disjunct for each index, or for each number of a residue class.
procedure AllZero(a: [int]int, n: int)
{
  var i: int;
  i := 0;
  while (i < n) {
    assert a[i] == 0; //@ fails
    i := i + 1;
  }
}

procedure InPairs(a: [int]int, n: int)
{
  var i: int;
  i := 1;
  while (i < n) {
    assert a[i] <= a[i - 1]; //@ fails
    i := i + 2;
  }
}

procedure Even(n: int)
{
  if (n != 0) {
    call Odd(n - 1);
  }
}

procedure Odd(n: int)
{
  if (n == 0) {
    assert false; //@ fails
  } else {
    call Even(n - 1);
  }
}

procedure Third(n: int)
{
  var i: int;
  i := n;
  while (i > 2) {
    i := i - 3;
  }
  assert i != 1; //@ fails
}

procedure ThirdByCalls(n: int)
{
  if (n > 2) {
    call ThirdByCalls(n - 3);
  } else {
    assert n != 1; //@ fails
  }
}

//@ run: failures --segments branch --timeout 300
//@ exit: 0
//@ says: fails when (exists i: int :: 0 <= i && i < n && a[i] != 0)
//@ says: fails when (exists i: int :: 0 <= i && 2 * i + 2 <= n && a[2 * i] < a[2 * i + 1])
//@ says: fails when n mod 2 == 1 && n >= 1
//@ says: fails when n mod 2 == 0 && n >= 0
//@ says: fails when n mod 3 == 1 && n >= 1
//@ never says: sufficient
//@ never says: bounded
