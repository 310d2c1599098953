// A branch without a statement of its own is an objective: the missing else, and a jump to where others lead as well.
procedure one(x: int) returns (r: int)
{
  r := 1;
  if (x > 5) { //@ taken
    r := 2; //@ covered
  }
  r := r + 1; //@ covered
}

procedure never(x: int) returns (r: int)
{
  r := 1;
  if (x > 5) { //@ taken
    if (x > 3) { //@ untaken
      r := 3; //@ covered
    }
  }
  r := r + 4;
}

procedure jump(x: int) returns (r: int)
{
  r := 1;
  if (x == 7) { goto out; } //@ taken
  r := 2; //@ covered
out:
  r := r + 1; //@ covered
}

procedure dead_jump(x: int) returns (r: int)
{
  r := 1;
  if (x > 5) { //@ taken
    if (x < 3) { goto out; } //@ untaken
  }
  r := 2;
out:
  r := r + 1;
}

procedure back(x: int) returns (r: int)
{
  r := 1;
top:
  r := r + 1;
  if (r < 3) { goto top; } //@ taken 2
  if (x > 100 && x < 50) { goto top; } //@ untaken
}
