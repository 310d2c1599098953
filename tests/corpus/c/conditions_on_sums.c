/* Sums and factorials overflow from an exact number on. */
int sum_to(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } //@ fails? overflow 65537
int fact(int n) { if (n <= 1) return 1; return n * fact(n - 1); } //@ fails? overflow

//@ ask: verify --solver-seconds 1

//@ run: failures --timeout 300
//@ exit: 0
//@ says: fails when n >= 65537
//@ says: fails when n >= 13
//@ never says: sufficient
//@ never says: necessary
