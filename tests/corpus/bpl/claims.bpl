// What somebody says is verified is a hypothesis: a test refutes it, a proof makes it superfluous, or what rests on it says so.
procedure Wrong(x: int) returns (r: int)
{
  r := 0;
  assert {:verified true} x < 40 || x > 60; //@ fails
  if (x == 39) {
    r := 1; //@ covered
  }
}

// The claim of the callee does not hide that the caller can fail behind the call.
procedure Callee(x: int)
{
  assert {:verified true} x != 7; //@ fails
}

procedure Caller(x: int)
{
  call Callee(x);
  assert x != 100; //@ fails
}

procedure Superfluous(x: int) returns (r: int)
{
  r := x * x;
  assert {:verified true} r >= 0; //@ holds
  if (r == 0 - 1) {
    r := 0; //@ unreachable
  }
}

// Euler proved it, and no solver does so soon.
procedure Open(x: int, y: int, z: int) returns (r: int)
  requires x > 0 && y > 0 && z > 0;
{
  r := 0;
  assert {:verified true} x * x * x + y * y * y != z * z * z; //@ holds?
  if (x * x * x == z * z * z - y * y * y) {
    r := 1; //@ unreachable?
  }
}

// A failure where the premise does not hold was never denied.
procedure Assumed(x: int) returns (r: int)
{
  var {:assumption} a: bool;
  a := a && x < 100;
  r := 0;
  if (x > 150) {
    r := 2; //@ doomed
  }
  assert {:verified a} r != 2; //@ fails
}

// One where it holds was.
procedure WronglyAssumed(x: int) returns (r: int)
{
  var {:assumption} a: bool;
  a := a && x < 100;
  r := 0;
  if (x > 50) {
    r := 2; //@ doomed
  }
  assert {:verified a} r != 2; //@ fails
}

//@ run: cover --timeout 3 --query-timeout 1
//@ exit: 0
//@ says: claim refuted by test
//@ says: the check at claims.bpl:5:3 is said to be verified, but it can fail; nothing rests on it
//@ says: it holds if the claim at claims.bpl:37:3 is right
//@ says: claim refuted: the check at claims.bpl:64:3
//@ never says: the check at claims.bpl:52:3 is said
//@ never says: if the claim at claims.bpl:26:3

//@ run: explore --timeout 3
//@ exit: 0
//@ never says: This is a bug
