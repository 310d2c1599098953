// A lambda over all types is a value like others: where no solver knows it, the paths behind it are unknown.
const g: <a>[a]int;
axiom g == (lambda <a> y: a :: 4);
function h<a>(x: a): bool { (lambda <b> z: b :: x == x)[x] }

procedure Kept(x: int, b: bool) returns (r: int)
{
  var m: <a>[a]int;
  m := (lambda <a> y: a :: 7);
  if (m[x] == 7) {
    r := 1; //@ covered?
  } else {
    r := 2; //@ unreachable?
  }
  if (m[b] == 8) {
    r := 3; //@ unreachable?
  }
  if (x > 10) {
    r := 4; //@ covered?
  }
}

procedure Contract(m: <a>[a]int) returns (r: int)
  requires m == (lambda <a> y: a :: 3) || m == g;
  ensures r == 3 || r == 4;
{
  r := m[true];
  if (r == 4) {
    r := 4; //@ covered?
  }
  if (r == 5) {
    r := 4; //@ unreachable?
  }
}

procedure Loop<T>(t: T, n: int) returns (r: int)
{
  var i: int;
  var m: <a>[a]int;
  m := (lambda <a> y: a :: 3);
  i := 0;
  while (i < n)
    invariant m[i] == 3 || m[i] == 4;
  {
    call r := Contract(m);
    m[i] := r;
    i := i + 1; //@ covered?
  }
  assert h(t); //@ holds?
}
