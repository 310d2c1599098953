// Calls in a loop, each with a kind and an amount, over unbounded integers.

var balance: int;

procedure move(kind: int, amount: int) returns (ok: bool) modifies balance; {
  ok := false;
  if (amount <= 0) { return; }
  if (kind == 1) { balance := balance + amount; ok := true; }
  else if (kind == 2) { if (amount <= balance) { balance := balance - amount; ok := true; } }
  else if (kind == 3) { balance := balance + amount + amount; ok := true; }
}

procedure account(kinds: [int]int, amounts: [int]int, n: int) returns (failed: int) modifies balance; {
  var i: int; var ok: bool;
  balance := 0; failed := 0; i := 0;
  if (n > 6) { return; }
  while (i < n) {
    call ok := move(kinds[i], amounts[i]);
    if (!ok) { failed := failed + 1; }
    i := i + 1;
  }
  if (failed == 2 && balance == 1234) { assert n != 6; }
  if (i == 5 && balance == 0 && failed == 0) { failed := -1; }
}
