// Unstructured code: free choice, a label nothing leads to, a block without a way on.
procedure Goto(x: int) returns (r: int)
{
start:
  r := 0; //@ covered
  goto low, high;
low:
  assume x < 0;
  r := 1; //@ covered
  goto join;
high:
  assume x >= 0;
  r := 2; //@ covered
  goto join, odd;
odd:
  assume x < 0 - 5;
  r := 3; //@ unreachable
  goto join;
dead:
  r := 4; //@ unreachable
  goto join;
join:
  assert r != 0; //@ holds
  return;
}
