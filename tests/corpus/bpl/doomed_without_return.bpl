// A block from which no way leads to a return.
procedure P(x: int)
{
  if (x > 3) //@ covered
  {
    assert false; //@ doomed fails
    assume false;
  }
}
