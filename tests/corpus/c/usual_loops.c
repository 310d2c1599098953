/* Loops over arrays and texts, nested loops, searches, flags, arithmetic: checks that users of other verifiers expect to pass
   with nothing assumed. What follows the line "Wrong" can fail. */
#include <assert.h>
#include <stdlib.h>
extern int input(void);
struct point { int x, y; };
static int inc(int x) { return x < 1000 ? x + 1 : x; }
static int dec(int x) { return x > -1000 ? x - 1 : x; }

/* Buffers of a length that is a variable. */
int heap(int n) { if (n <= 0 || n > 1000) return 0; int *a = malloc(n * sizeof *a); if (!a) return 0; for (int i = 0; i < n; i++) a[i] = i; int r = a[n - 1]; free(a); return r; }
int bytes(size_t n) { if (n > 4096) return 0; char *a = malloc(n); if (!a) return 0; for (size_t i = 0; i < n; i++) a[i] = 1; free(a); return 1; }
int both(int n) { if (n <= 0 || n > 50) return 0; int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b); if (a && b) for (int i = 0; i < n; i++) a[i] = b[n - 1 - i] = i; free(a); free(b); return 1; }

/* Arrays of a length that is a number. */
int up(void) { int t[10], s = 0; for (int i = 0; i < 10; i++) t[i] = i; for (int i = 9; i >= 0; i--) s ^= t[i]; return s; }
int clamped(int n) { int t[10]; if (n > 10) n = 10; for (int i = 0; i < n; i++) t[i] = 0; return n; }
int strided(void) { int t[10]; for (int i = 0; i < 10; i += 2) { t[i] = 0; t[i + 1] = 1; } return 0; }
int down(void) { int t[10]; for (unsigned i = 10; i-- > 0;) t[i] = 0; return 0; }
int walked(void) { int t[10]; for (int *p = t; p < t + 10; p++) *p = 0; return 0; }
int walked_to(void) { int t[10], *p = t, *end = t + 10; while (p != end) *p++ = 0; return 0; }
int once(void) { int t[10], i = 0; do { t[i] = 0; i++; } while (i < 10); return i; }
int remainder_of(unsigned k) { int t[7] = { 0 }; return t[k % 7] + t[k & 3]; }
int ring(void) { int t[8]; unsigned head = 0; for (int i = 0; i < 100; i++) { t[head] = i; head = (head + 1) % 8; } return 0; }
int points(void) { struct point t[5]; for (int i = 0; i < 5; i++) { t[i].x = i; t[i].y = -i; } return t[4].y; }

/* Nested loops. */
int m[4][5]; int sum(void) { int s = 0; for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++) s ^= m[i][j]; return s; }
int triangle(void) { int t[10][10]; for (int i = 0; i < 10; i++) for (int j = 0; j <= i; j++) t[i][j] = t[j][i] = 0; return 0; }
int flat(void) { int t[20]; for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++) t[5 * i + j] = 0; return 0; }
void bubble(void) { int t[10]; for (int i = 0; i < 10; i++) t[i] = input(); for (int i = 0; i < 10; i++) for (int j = 0; j < 9 - i; j++) if (t[j] > t[j + 1]) { int h = t[j]; t[j] = t[j + 1]; t[j + 1] = h; } }
void insertion(void) { int t[10]; for (int i = 0; i < 10; i++) t[i] = input(); for (int i = 1; i < 10; i++) { int key = t[i], j = i - 1; while (j >= 0 && t[j] > key) { t[j + 1] = t[j]; j--; } t[j + 1] = key; } }

/* Searches. */
int linear(int x) { int t[8], found = -1; for (int i = 0; i < 8; i++) t[i] = input(); for (int i = 0; i < 8; i++) if (t[i] == x) { found = i; break; } return found >= 0 ? t[found] : 0; }
int binary(int x) { int t[16] = { 0 }, lo = 0, hi = 15; while (lo <= hi) { int mid = lo + (hi - lo) / 2; if (t[mid] == x) return mid; if (t[mid] < x) lo = mid + 1; else hi = mid - 1; } return -1; }
void reverse(void) { int t[10] = { 0 }, i = 0, j = 9; while (i < j) { int h = t[i]; t[i] = t[j]; t[j] = h; i++; j--; } }

/* Strings. */
int length(void) { char s[16]; int i = 0; for (int k = 0; k < 15; k++) s[k] = input(); s[15] = 0; while (i < 15 && s[i]) i++; s[i] = 0; return i; }
int copied(void) { char a[16] = "footpath", b[16]; int i; for (i = 0; i < 15 && a[i]; i++) b[i] = a[i]; b[i] = 0; return b[0]; }
int digits(unsigned n) { char s[11]; int i = 0; do { s[i++] = '0' + n % 10; n /= 10; } while (n && i < 10); s[i] = 0; return i; }

/* Flags and small sets of values. */
int flag(int n) { int ok = 0, d = 0; if (n != 0 && n != -1) { ok = 1; d = n; } if (ok) return 10 / d; return 0; }
int modes(int n) { int step; if (n == 1) step = 2; else if (n == 2) step = 5; else step = 11; return 100 / (step - 3); }
int switched(int n) { int t[4] = { 0 }, at; switch (n) { case 1: at = 3; break; case 7: at = 1; break; default: at = 0; } return t[at]; }
int last(int n) { int *p = 0, x = 0; if (n > 0) p = &x; if (n > 5) return *p; return 0; }
int either(int n) { int (*f)(int) = n > 3 ? inc : dec; return f(n); }

/* Arithmetic. */
unsigned gcd(unsigned a, unsigned b) { while (b) { unsigned r = a % b; a = b; b = r; } return a; }
unsigned bits(unsigned x) { unsigned n = 0; for (int s = 0; s < 32; s++) n += x >> s & 1; return n; }
int asserted(int n) { int s = 0; for (int i = 0; i < 10; i++) s += 2; assert(s <= 20); return s; }
int equal(void) { int i = 0, j = 10; while (i < 10) { i++; j--; } assert(i + j == 10); assert(j == 0); return j; }

/* What holds, but is not seen: what elements of memory have in common. */
int histogram(const unsigned char c) { int counts[256] = { 0 }; counts[c]++; return counts[255 - c]; } //@ holds? overflow
int chosen(int n) { int (*ops[2])(int) = { inc, dec }; return ops[n & 1](n); }

/* Wrong. */
int beyond(unsigned k) { int t[4] = { 1, 2, 3, 4 }; return t[k]; } //@ fails bounds
int off_by_one(int n) { int t[8]; for (int i = 0; i <= 8; i++) t[i] = n; return t[0]; } //@ fails bounds
int unchecked(int n) { int *p = malloc(sizeof *p); *p = n; return n; } //@ fails null
int ratio(int n) { int ok = n != 1; return ok ? 10 / n : 0; } //@ fails division
int modes_wrong(int n) { int step; if (n == 1) step = 2; else if (n == 2) step = 3; else step = 11; return 100 / (step - 3); } //@ fails division

//@ run: verify --verbose --sound --solver-seconds 10
//@ exit: 0
//| inc
//|   check               kind      verdict
//|   usual_loops.c:7:45  overflow  verified
//|
//| dec
//|   check               kind      verdict
//|   usual_loops.c:8:46  overflow  verified
//|
//| heap
//|   check                 kind            verdict
//|   usual_loops.c:11:136  null            verified
//|   usual_loops.c:11:136  use_after_free  verified
//|   usual_loops.c:11:136  bounds          verified
//|   usual_loops.c:11:153  overflow        verified
//|   usual_loops.c:11:149  null            verified
//|   usual_loops.c:11:149  use_after_free  verified
//|   usual_loops.c:11:149  bounds          verified
//|   usual_loops.c:11:159  free            verified
//|   usual_loops.c:11:127  overflow        verified
//|
//| bytes
//|   check                 kind            verdict
//|   usual_loops.c:12:122  null            verified
//|   usual_loops.c:12:122  use_after_free  verified
//|   usual_loops.c:12:122  bounds          verified
//|   usual_loops.c:12:127  free            verified
//|
//| both
//|   check                 kind            verdict
//|   usual_loops.c:13:176  free            verified
//|   usual_loops.c:13:185  free            verified
//|   usual_loops.c:13:162  overflow        verified
//|   usual_loops.c:13:166  overflow        verified
//|   usual_loops.c:13:171  null            verified
//|   usual_loops.c:13:171  use_after_free  verified
//|   usual_loops.c:13:171  bounds          verified
//|   usual_loops.c:13:156  null            verified
//|   usual_loops.c:13:156  use_after_free  verified
//|   usual_loops.c:13:156  bounds          verified
//|   usual_loops.c:13:147  overflow        verified
//|
//| up
//|   check                 kind      verdict
//|   usual_loops.c:16:68   bounds    verified
//|   usual_loops.c:16:107  bounds    verified
//|   usual_loops.c:16:98   overflow  verified
//|   usual_loops.c:16:59   overflow  verified
//|
//| clamped
//|   check                kind      verdict
//|   usual_loops.c:17:86  bounds    verified
//|   usual_loops.c:17:77  overflow  verified
//|
//| strided
//|   check                kind      verdict
//|   usual_loops.c:18:71  bounds    verified
//|   usual_loops.c:18:80  overflow  verified
//|   usual_loops.c:18:85  bounds    verified
//|   usual_loops.c:18:58  overflow  verified
//|
//| down
//|   check                kind    verdict
//|   usual_loops.c:19:66  bounds  verified
//|
//| walked
//|   check                kind            verdict
//|   usual_loops.c:20:68  null            verified
//|   usual_loops.c:20:68  use_after_free  verified
//|   usual_loops.c:20:68  bounds          verified
//|
//| walked_to
//|   check                kind            verdict
//|   usual_loops.c:21:79  null            verified
//|   usual_loops.c:21:79  use_after_free  verified
//|   usual_loops.c:21:79  bounds          verified
//|
//| once
//|   check                kind      verdict
//|   usual_loops.c:22:46  bounds    verified
//|   usual_loops.c:22:52  overflow  verified
//|
//| remainder_of
//|   check                kind      verdict
//|   usual_loops.c:23:57  bounds    verified
//|   usual_loops.c:23:68  bounds    verified
//|   usual_loops.c:23:66  overflow  verified by the solver
//|
//| ring
//|   check                kind      verdict
//|   usual_loops.c:24:87  bounds    verified
//|   usual_loops.c:24:73  overflow  verified
//|
//| points
//|   check                kind      verdict
//|   usual_loops.c:25:76  bounds    verified
//|   usual_loops.c:25:90  overflow  verified
//|   usual_loops.c:25:88  bounds    verified
//|   usual_loops.c:25:63  overflow  verified
//|
//| sum
//|   check                 kind            verdict
//|   usual_loops.c:28:65   overflow        verified
//|   usual_loops.c:28:102  subobject       verified
//|   usual_loops.c:28:102  use_after_free  verified
//|   usual_loops.c:28:102  bounds          verified
//|   usual_loops.c:28:93   overflow        verified
//|
//| triangle
//|   check                 kind       verdict
//|   usual_loops.c:29:62   overflow   verified
//|   usual_loops.c:29:105  subobject  verified
//|   usual_loops.c:29:113  bounds     verified
//|   usual_loops.c:29:95   subobject  verified
//|   usual_loops.c:29:103  bounds     verified
//|   usual_loops.c:29:91   overflow   verified
//|
//| flat
//|   check                kind      verdict
//|   usual_loops.c:30:53  overflow  verified
//|   usual_loops.c:30:89  overflow  verified
//|   usual_loops.c:30:93  overflow  verified
//|   usual_loops.c:30:98  bounds    verified
//|   usual_loops.c:30:81  overflow  verified
//|
//| bubble
//|   check                 kind      verdict
//|   usual_loops.c:31:66   bounds    verified
//|   usual_loops.c:31:142  bounds    verified
//|   usual_loops.c:31:128  overflow  verified
//|   usual_loops.c:31:102  overflow  verified
//|   usual_loops.c:31:153  overflow  verified
//|   usual_loops.c:31:149  bounds    verified
//|   usual_loops.c:31:186  overflow  verified
//|   usual_loops.c:31:196  overflow  verified
//|   usual_loops.c:31:134  overflow  verified
//|   usual_loops.c:31:57   overflow  verified
//|
//| insertion
//|   check                 kind      verdict
//|   usual_loops.c:32:69   bounds    verified
//|   usual_loops.c:32:121  bounds    verified
//|   usual_loops.c:32:155  bounds    verified
//|   usual_loops.c:32:180  bounds    verified
//|   usual_loops.c:32:133  overflow  verified
//|   usual_loops.c:32:197  overflow  verified
//|   usual_loops.c:32:202  bounds    verified
//|   usual_loops.c:32:105  overflow  verified
//|   usual_loops.c:32:173  overflow  verified
//|   usual_loops.c:32:178  bounds    verified
//|   usual_loops.c:32:187  overflow  verified
//|   usual_loops.c:32:60   overflow  verified
//|
//| linear
//|   check                 kind      verdict
//|   usual_loops.c:35:76   bounds    verified
//|   usual_loops.c:35:119  bounds    verified
//|   usual_loops.c:35:172  bounds    verified
//|   usual_loops.c:35:111  overflow  verified
//|   usual_loops.c:35:67   overflow  verified
//|
//| binary
//|   check                 kind      verdict
//|   usual_loops.c:36:95   overflow  verified
//|   usual_loops.c:36:89   overflow  verified
//|   usual_loops.c:36:110  bounds    verified
//|   usual_loops.c:36:179  overflow  verified
//|   usual_loops.c:36:160  overflow  verified
//|
//| reverse
//|   check                 kind      verdict
//|   usual_loops.c:37:79   bounds    verified
//|   usual_loops.c:37:92   bounds    verified
//|   usual_loops.c:37:109  overflow  verified
//|   usual_loops.c:37:114  overflow  verified
//|
//| length
//|   check                 kind      verdict
//|   usual_loops.c:40:77   bounds    verified
//|   usual_loops.c:40:116  bounds    verified
//|   usual_loops.c:40:132  bounds    verified
//|   usual_loops.c:40:123  overflow  verified
//|   usual_loops.c:40:68   overflow  verified
//|
//| copied
//|   check                 kind            verdict
//|   usual_loops.c:41:25   use_after_free  verified
//|   usual_loops.c:41:81   bounds          verified
//|   usual_loops.c:41:99   bounds          verified
//|   usual_loops.c:41:110  bounds          verified
//|   usual_loops.c:41:88   overflow        verified
//|
//| digits
//|   check                 kind      verdict
//|   usual_loops.c:42:114  bounds    verified
//|   usual_loops.c:42:57   overflow  verified
//|   usual_loops.c:42:61   bounds    verified
//|
//| flag
//|   check                kind      verdict
//|   usual_loops.c:45:98  division  verified
//|
//| modes
//|   check                 kind      verdict
//|   usual_loops.c:46:114  overflow  verified
//|   usual_loops.c:46:106  division  verified
//|
//| switched
//|   check                 kind    verdict
//|   usual_loops.c:47:130  bounds  verified
//|
//| last
//|   check                kind            verdict
//|   usual_loops.c:48:75  null            verified
//|   usual_loops.c:48:75  use_after_free  verified
//|   usual_loops.c:48:75  bounds          verified
//|
//| either
//|   check                kind  verdict
//|   usual_loops.c:49:63  null  verified
//|
//| gcd
//|   check                kind      verdict
//|   usual_loops.c:52:67  division  verified
//|
//| bits
//|   check                kind      verdict
//|   usual_loops.c:53:81  shift     verified
//|   usual_loops.c:53:70  overflow  verified
//|
//| asserted
//|   check                kind      verdict
//|   usual_loops.c:54:71  assert    verified
//|   usual_loops.c:54:65  overflow  verified
//|   usual_loops.c:54:59  overflow  verified
//|
//| equal
//|   check                kind      verdict
//|   usual_loops.c:55:67  assert    verified
//|   usual_loops.c:55:88  assert    verified
//|   usual_loops.c:55:67  overflow  verified
//|   usual_loops.c:55:56  overflow  verified
//|   usual_loops.c:55:61  overflow  verified
//|
//| histogram
//|   check                kind      verdict
//|   usual_loops.c:58:74  bounds    verified
//|   usual_loops.c:58:74  overflow  unverified [weak-invariants]
//|   usual_loops.c:58:96  overflow  verified
//|   usual_loops.c:58:85  bounds    verified
//|
//| chosen
//|   check                kind            verdict
//|   usual_loops.c:59:27  use_after_free  verified
//|   usual_loops.c:59:63  bounds          verified
//|   usual_loops.c:59:63  null            verified by the solver
//|
//| beyond
//|   check                kind            verdict
//|   usual_loops.c:62:30  use_after_free  verified
//|   usual_loops.c:62:60  bounds          unverified [caller-state]
//|
//| off_by_one
//|   check                kind      verdict
//|   usual_loops.c:63:69  bounds    unverified [weak-invariants]
//|   usual_loops.c:63:60  overflow  verified
//|
//| unchecked
//|   check                kind            verdict
//|   usual_loops.c:64:55  null            unverified [weak-invariants]
//|   usual_loops.c:64:55  use_after_free  verified
//|   usual_loops.c:64:55  bounds          verified
//|
//| ratio
//|   check                kind      verdict
//|   usual_loops.c:65:52  division  unverified [caller-state]
//|
//| modes_wrong
//|   check                 kind      verdict
//|   usual_loops.c:66:120  overflow  verified
//|   usual_loops.c:66:112  division  unverified [caller-state]
//|
//| 155 checks: 149 verified, 0 verified under assumptions, 6 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   3 [caller-state] State what callers guarantee with assert where the function begins (requires in
//|          Boogie); footpath test looks for an input that makes it fail.
//|   3 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.
