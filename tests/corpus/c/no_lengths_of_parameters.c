/* That an array is as long as the integer behind it says buys nothing beyond it, nor where it is no length. */
int beyond(const int *a, int n) { int s = 0; for (int i = 0; i <= n; i++) s ^= a[i]; return s; } //@ fails bounds
int below(const int *a, int n) { return n > 0 ? a[n - 2] : 0; } //@ fails bounds
int other(const int *a, int m, int n) { return n > 0 ? a[n - 1] : m; } //@ fails bounds
int letter(const char *a, char n) { return n > 0 ? a[n - 1] : 0; } //@ fails bounds
int wraps(const int *a, unsigned n) { return n > 0 ? a[4 * n - 1] : 0; } //@ fails bounds
int before(int n, const int *a) { return n > 0 ? a[n - 1] : 0; } //@ fails bounds

//@ run: verify --verbose
//@ exit: 0
//| beyond
//|   check                            kind      verdict
//|   no_lengths_of_parameters.c:2:80  null      verified assuming a1
//|   no_lengths_of_parameters.c:2:80  bounds    unverified [weak-invariants]
//|   no_lengths_of_parameters.c:2:71  overflow  verified assuming a2
//|   a1: valid-parameters at no_lengths_of_parameters.c:2:5: `a` points to the start of a live object of at least 4 bytes
//|   a2: few-rounds at no_lengths_of_parameters.c:2:46: the loop iterates at most 1000 times
//|
//| below
//|   check                            kind      verdict
//|   no_lengths_of_parameters.c:3:53  overflow  verified
//|   no_lengths_of_parameters.c:3:49  null      verified assuming a3
//|   no_lengths_of_parameters.c:3:49  bounds    unverified [caller-state]
//|   a3: valid-parameters at no_lengths_of_parameters.c:3:5: `a` points to the start of a live object of at least 4 bytes
//|
//| other
//|   check                            kind      verdict
//|   no_lengths_of_parameters.c:4:60  overflow  verified
//|   no_lengths_of_parameters.c:4:56  null      verified assuming a4
//|   no_lengths_of_parameters.c:4:56  bounds    unverified [caller-state]
//|   a4: valid-parameters at no_lengths_of_parameters.c:4:5: `a` points to the start of a live object of at least 4 bytes
//|
//| letter
//|   check                            kind      verdict
//|   no_lengths_of_parameters.c:5:56  overflow  verified
//|   no_lengths_of_parameters.c:5:52  null      verified assuming a5
//|   no_lengths_of_parameters.c:5:52  bounds    unverified [caller-state]
//|   a5: valid-parameters at no_lengths_of_parameters.c:5:5: `a` points to the start of a live object of at least 1 byte
//|
//| wraps
//|   check                            kind    verdict
//|   no_lengths_of_parameters.c:6:54  null    verified assuming a6
//|   no_lengths_of_parameters.c:6:54  bounds  unverified [caller-state]
//|   a6: valid-parameters at no_lengths_of_parameters.c:6:5: `a` points to the start of a live object of at least 4 bytes
//|
//| before
//|   check                            kind      verdict
//|   no_lengths_of_parameters.c:7:54  overflow  verified
//|   no_lengths_of_parameters.c:7:50  null      verified assuming a7
//|   no_lengths_of_parameters.c:7:50  bounds    unverified [caller-state]
//|   a7: valid-parameters at no_lengths_of_parameters.c:7:5: `a` points to the start of a live object of at least 4 bytes
//|
//| 17 checks: 4 verified, 7 verified under assumptions, 6 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   5 [caller-state] State what callers guarantee with assert where the function begins (requires in
//|          Boogie); footpath test looks for an input that makes it fail.
//|   1 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.
