// Of several assumptions that stand together a run may end at the first one, and another one at a quantifier that nobody can evaluate.

procedure Sorted(a: [int]int, n: int)
  requires n > 0;
  requires (forall i, j: int :: 0 <= i && i < j && j < n ==> a[i] < a[j]);
{
  assert a[n] >= a[0]; //@ fails?
}

procedure Where(n: int where n > 0, k: [int]int where (forall i: int :: k[i] >= i))
{
  assert k[1] == 1; //@ fails?
}

procedure Zeros(n: int, k: [int]int) returns (o: int);
  ensures o > n;
  ensures (forall i: int :: k[i] == 0);

procedure Called(n: int, k: [int]int)
{
  var y: int;
  call y := Zeros(n, k);
  assert k[1] == 1; //@ fails?
}
