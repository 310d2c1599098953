// Callees with type parameters run with the types of each call, also where their text names none of them.
type Cell _;
function content<a>(c: Cell a): a;
var heap: <a>[Cell a]a;

procedure {:inline 1} Get<T>(c: Cell T) returns (r: T)
{
  var guess: T;
  havoc guess;
  if (guess == content(c)) {
    r := content(c); //@ covered
  } else {
    r := guess; //@ covered
  }
}

procedure UseGet(c: Cell int) returns (r: int)
{
  call r := Get(c);
  if (r == 5) {
    r := content(c); //@ covered
  }
}

procedure {:inline 1} Load<T>(c: Cell T) returns (r: T)
{
  r := heap[c];
  assert r == heap[c]; //@ holds
}

procedure UseLoad(c: Cell bool, d: Cell int) returns (r: int)
{
  var b: bool;
  call b := Load(c);
  call r := Load(d);
  if (b && r == 3) {
    r := 4; //@ covered
  }
  if (b != heap[c]) {
    r := 5; //@ unreachable
  }
}

// The type of the map is nowhere in the program but in this callee.
procedure {:inline 1} Through<T>(x: T) returns (y: T)
{
  var m: [T]T;
  y := m[x];
}

procedure UseThrough()
{
  var i: int;
  var b: bool;
  call i := Through(3);
  call b := Through(i == 4);
  if (i == 4 && b) {
    i := 5; //@ covered
  }
}

procedure {:inline 1} Nested<T>(x: T, n: int) returns (y: [int]T)
{
  var inner: [int][int]T;
  if (n > 0) {
    call inner := Nested(y, n - 1);
    y := inner[n];
  }
  y[0] := x;
}

procedure UseNested() returns (r: int)
{
  var m: [int]bool;
  call m := Nested(true, 1);
  assert m[0]; //@ holds
  if (m[1]) {
    r := 1; //@ covered
  }
}
