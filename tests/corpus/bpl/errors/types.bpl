// Each declaration has an error of its own; the last one has none and is analysed.
procedure Types(x: int, b: bool) returns (r: int)
{
  r := x + b;
}

procedure Names() returns (r: int)
{
  r := missing;
}

procedure Good(x: int) returns (r: int)
{
  r := 0;
  if (x > r) {
    r := x;
  }
}

//@ run: check
//@ exit: 2
//| error[boogie::type]: the operator `+` does not apply to int and bool
//|  --> types.bpl:4:10
//|   |
//| 4 |   r := x + b;
//|   |          ^
//|
//| error[boogie::undeclared]: undeclared identifier `missing`
//|  --> types.bpl:9:8
//|   |
//| 9 |   r := missing;
//|   |        ^^^^^^^
//|
//| 2 errors
//| with errors: procedures 1, bodies 1, functions 0, axioms 0, globals 0, constants 0

//@ run: cover
//@ exit: 2
//| error[boogie::type]: the operator `+` does not apply to int and bool
//|  --> types.bpl:4:10
//|   |
//| 4 |   r := x + b;
//|   |          ^
//|
//| error[boogie::undeclared]: undeclared identifier `missing`
//|  --> types.bpl:9:8
//|   |
//| 9 |   r := missing;
//|   |        ^^^^^^^
//|
//| 2 errors
//| Good  4 covered; 2 tests
//|
//|   test  x  outcome
//|      1  0  returns
//|      2  3  returns
//|
//| total, 1 procedure  4 covered; 2 tests; 0 queries in T s of T s
