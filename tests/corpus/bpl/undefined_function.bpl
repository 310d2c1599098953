// What a function without a definition gives is left open, also where failures depend on it.
function F(n: int): bool;
procedure p()
{
  assert F(1); //@ fails
}
procedure q(n: int)
{
  if (F(n)) {
    assert n != 3; //@ fails
  }
}
//@ run: failures
