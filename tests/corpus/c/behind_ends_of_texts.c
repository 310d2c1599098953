/* That a text ends says nothing of what is behind its end. */
int behind(const char *s) { while (*s) s++; return s[1]; } //@ fails bounds
int next(const char *s) { int n = 0; while (s[n + 1]) n++; return n; } //@ fails bounds
int other(const char *s, char c) { int n = *s == 0; while (*s != c) s++; return n; } //@ fails bounds
int written(char *s, unsigned n, char c) { s[n & 3] = c; while (*s) s++; return 0; } //@ fails bounds
int twice(const char *s) { while (*s) s += 2; return 0; } //@ fails bounds
int last(const char *s) { do s++; while (*s); return 0; } //@ fails bounds

//@ run: verify --verbose
//@ exit: 0
//| behind
//|   check                        kind    verdict
//|   behind_ends_of_texts.c:2:36  null    verified assuming a1
//|   behind_ends_of_texts.c:2:36  bounds  verified assuming a1, a2
//|   behind_ends_of_texts.c:2:52  bounds  unverified [weak-invariants]
//|   a1: valid-parameters at behind_ends_of_texts.c:2:5: `s` points to the start of a live object of at least 1 byte
//|   a2: terminated-strings at behind_ends_of_texts.c:2:5: `s` points into an object whose last byte is zero
//|
//| next
//|   check                        kind      verdict
//|   behind_ends_of_texts.c:3:49  overflow  verified assuming a4
//|   behind_ends_of_texts.c:3:45  null      verified assuming a3
//|   behind_ends_of_texts.c:3:45  bounds    unverified [weak-invariants]
//|   behind_ends_of_texts.c:3:56  overflow  verified assuming a4
//|   a3: valid-parameters at behind_ends_of_texts.c:3:5: `s` points to the start of a live object of at least 1 byte
//|   a4: few-rounds at behind_ends_of_texts.c:3:49: the loop iterates at most 1000 times
//|
//| other
//|   check                        kind    verdict
//|   behind_ends_of_texts.c:4:44  null    verified assuming a5
//|   behind_ends_of_texts.c:4:44  bounds  verified assuming a5
//|   behind_ends_of_texts.c:4:60  null    verified
//|   behind_ends_of_texts.c:4:60  bounds  unverified [weak-invariants]
//|   a5: valid-parameters at behind_ends_of_texts.c:4:5: `s` points to the start of a live object of at least 1 byte
//|
//| written
//|   check                        kind    verdict
//|   behind_ends_of_texts.c:5:53  null    verified assuming a6
//|   behind_ends_of_texts.c:5:53  bounds  unverified [weak-invariants]
//|   behind_ends_of_texts.c:5:65  null    verified
//|   behind_ends_of_texts.c:5:65  bounds  unverified [proof-time]
//|   a6: valid-parameters at behind_ends_of_texts.c:5:5: `s` points to the start of a live object of at least 1 byte
//|
//| twice
//|   check                        kind    verdict
//|   behind_ends_of_texts.c:6:35  null    verified assuming a7
//|   behind_ends_of_texts.c:6:35  bounds  unverified [weak-invariants]
//|   a7: valid-parameters at behind_ends_of_texts.c:6:5: `s` points to the start of a live object of at least 1 byte
//|
//| last
//|   check                        kind    verdict
//|   behind_ends_of_texts.c:7:42  null    verified assuming a8
//|   behind_ends_of_texts.c:7:42  bounds  unverified [weak-invariants]
//|   a8: valid-parameters at behind_ends_of_texts.c:7:5: `s` points to the start of a live object of at least 1 byte
//|
//| 19 checks: 2 verified, 10 verified under assumptions, 7 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   6 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.
//|   1 [proof-time] Raise --solver-timeout; footpath test looks for an input that makes it fail.
