/* What rounds of a loop count does not overflow if there are few. */
int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
int twice(int n) { int s = 0; for (int i = 0; i < n; i++) s += 2; return s; }
int wild(int n, int d) { int s = 0; for (int i = 0; i < n; i++) s += d; return s; }

//@ run: verify --assume few-rounds
//@ exit: 0
//| length
//|   check              kind      verdict
//|   few_rounds.c:2:47  null      unverified [weak-invariants]
//|   few_rounds.c:2:47  bounds    unverified [weak-invariants]
//|   few_rounds.c:2:54  overflow  verified assuming a1
//|   a1: few-rounds at few_rounds.c:2:40: the loop iterates at most 1000 times
//|
//| twice
//|   check              kind      verdict
//|   few_rounds.c:3:61  overflow  verified assuming a2
//|   few_rounds.c:3:55  overflow  verified
//|   a2: few-rounds at few_rounds.c:3:31: the loop iterates at most 1000 times
//|
//| wild
//|   check              kind      verdict
//|   few_rounds.c:4:67  overflow  unverified [weak-invariants]
//|   few_rounds.c:4:61  overflow  verified
//|
//| 7 checks: 2 verified, 2 verified under assumptions, 3 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   3 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.

//@ run: verify --assume few-rounds --rounds 2000000000
//@ exit: 0
//| length
//|   check              kind      verdict
//|   few_rounds.c:2:47  null      unverified [weak-invariants]
//|   few_rounds.c:2:47  bounds    unverified [weak-invariants]
//|   few_rounds.c:2:54  overflow  verified assuming a1
//|   a1: few-rounds at few_rounds.c:2:40: the loop iterates at most 2000000000 times
//|
//| twice
//|   check              kind      verdict
//|   few_rounds.c:3:61  overflow  unverified [weak-invariants]
//|   few_rounds.c:3:55  overflow  verified
//|
//| wild
//|   check              kind      verdict
//|   few_rounds.c:4:67  overflow  unverified [weak-invariants]
//|   few_rounds.c:4:61  overflow  verified
//|
//| 7 checks: 2 verified, 1 verified under assumptions, 4 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   4 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.
