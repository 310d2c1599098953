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
//@ exit: 0
//| p (undefined_function.bpl:3:1)
//|   fails when !F(1)
//|   exact
//|   fails: no inputs: assert at undefined_function.bpl:5:3
//|   passes: no inputs
//|   nothing fails with: requires F(1);
//|   2 paths in 1 segments, 100 random runs agree, T s
//|
//| q (undefined_function.bpl:7:1)
//|   fails when F(3) && n == 3
//|   exact
//|   passes: n = 0
//|   nothing fails with: requires !F(3) || n != 3;
//|   3 paths in 1 segments, 100 random runs agree, T s
//|
