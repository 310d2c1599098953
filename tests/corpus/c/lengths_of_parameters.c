/* An array is as long as the integer behind it says, under an assumption. */
typedef __SIZE_TYPE__ size_t;
struct point { short x, y, z; };
struct pair { int x, y; };
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }
int dot(const int *a, const int *b, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i] & b[i]; return s; }
int max(const int *a, int n) { int m = 0; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }
void fill(int *a, size_t n, int v) { for (size_t i = 0; i < n; i++) a[i] = v; }
void narrow(int *a, unsigned n, int v) { for (unsigned i = 0; i < n; i++) a[i] = v; }
void shorts(short *a, unsigned short n) { for (int i = 0; i < n; i++) a[i] = 0; }
int points(const struct point *a, long n) { int s = 0; for (long i = 0; i < n; i++) s ^= a[i].z; return s; }
size_t count(const char *a, char c, size_t n) { size_t k = 0; while (n > 0) if (a[--n] == c) k++; return k; }
int at(const int *a, struct pair p, int n, int i) { return i < 0 || i >= n ? 0 : a[i]; }

//@ run: verify --verbose
//@ exit: 0
//| sum
//|   check                         kind      verdict
//|   lengths_of_parameters.c:5:76  null      verified assuming a1
//|   lengths_of_parameters.c:5:76  bounds    verified assuming a2
//|   lengths_of_parameters.c:5:67  overflow  verified
//|   a1: valid-parameters at lengths_of_parameters.c:5:5: `a` points to the start of a live object of at least 4 bytes
//|   a2: parameter-lengths at lengths_of_parameters.c:5:5: `a` points to the start of an object of at least `n` elements
//|
//| dot
//|   check                         kind      verdict
//|   lengths_of_parameters.c:6:90  null      verified assuming a3
//|   lengths_of_parameters.c:6:90  bounds    verified assuming a4
//|   lengths_of_parameters.c:6:97  null      verified assuming a5
//|   lengths_of_parameters.c:6:97  bounds    verified assuming a6
//|   lengths_of_parameters.c:6:81  overflow  verified
//|   a3: valid-parameters at lengths_of_parameters.c:6:5: `a` points to the start of a live object of at least 4 bytes
//|   a4: parameter-lengths at lengths_of_parameters.c:6:5: `a` points to the start of an object of at least `n` elements
//|   a5: valid-parameters at lengths_of_parameters.c:6:5: `b` points to the start of a live object of at least 4 bytes
//|   a6: parameter-lengths at lengths_of_parameters.c:6:5: `b` points to the start of an object of at least `n` elements
//|
//| max
//|   check                         kind      verdict
//|   lengths_of_parameters.c:7:75  null      verified assuming a7
//|   lengths_of_parameters.c:7:75  bounds    verified assuming a8
//|   lengths_of_parameters.c:7:67  overflow  verified
//|   a7: valid-parameters at lengths_of_parameters.c:7:5: `a` points to the start of a live object of at least 4 bytes
//|   a8: parameter-lengths at lengths_of_parameters.c:7:5: `a` points to the start of an object of at least `n` elements
//|
//| fill
//|   check                         kind    verdict
//|   lengths_of_parameters.c:8:74  null    verified assuming a9
//|   lengths_of_parameters.c:8:74  bounds  verified assuming a10
//|   a9: valid-parameters at lengths_of_parameters.c:8:6: `a` points to the start of a live object of at least 4 bytes
//|   a10: parameter-lengths at lengths_of_parameters.c:8:6: `a` points to the start of an object of at least `n` elements
//|
//| narrow
//|   check                         kind    verdict
//|   lengths_of_parameters.c:9:80  null    verified assuming a11
//|   lengths_of_parameters.c:9:80  bounds  verified assuming a12
//|   a11: valid-parameters at lengths_of_parameters.c:9:6: `a` points to the start of a live object of at least 4 bytes
//|   a12: parameter-lengths at lengths_of_parameters.c:9:6: `a` points to the start of an object of at least `n` elements
//|
//| shorts
//|   check                          kind      verdict
//|   lengths_of_parameters.c:10:76  null      verified assuming a13
//|   lengths_of_parameters.c:10:76  bounds    verified assuming a14
//|   lengths_of_parameters.c:10:67  overflow  verified
//|   a13: valid-parameters at lengths_of_parameters.c:10:6: `a` points to the start of a live object of at least 2 bytes
//|   a14: parameter-lengths at lengths_of_parameters.c:10:6: `a` points to the start of an object of at least `n` elements
//|
//| points
//|   check                          kind      verdict
//|   lengths_of_parameters.c:11:95  null      verified assuming a15
//|   lengths_of_parameters.c:11:95  bounds    verified assuming a16
//|   lengths_of_parameters.c:11:81  overflow  verified
//|   a15: valid-parameters at lengths_of_parameters.c:11:5: `a` points to the start of a live object of at least 6 bytes
//|   a16: parameter-lengths at lengths_of_parameters.c:11:5: `a` points to the start of an object of at least `n` elements
//|
//| count
//|   check                          kind    verdict
//|   lengths_of_parameters.c:12:81  null    verified assuming a17
//|   lengths_of_parameters.c:12:81  bounds  verified assuming a18
//|   a17: valid-parameters at lengths_of_parameters.c:12:8: `a` points to the start of a live object of at least 1 byte
//|   a18: parameter-lengths at lengths_of_parameters.c:12:8: `a` points to the start of an object of at least `n` elements
//|
//| at
//|   check                          kind    verdict
//|   lengths_of_parameters.c:13:82  null    verified assuming a19
//|   lengths_of_parameters.c:13:82  bounds  verified assuming a19, a20
//|   a19: valid-parameters at lengths_of_parameters.c:13:5: `a` points to the start of a live object of at least 4 bytes
//|   a20: parameter-lengths at lengths_of_parameters.c:13:5: `a` points to the start of an object of at least `n` elements
//|
//| 25 checks: 5 verified, 20 verified under assumptions, 0 unverified, 0 failing

//@ run: verify --verbose --assume few-rounds,no-overflow,allocation-succeeds,valid-parameters,valid-pointers,terminated-strings,distinct-parameters,callees-keep
//@ exit: 0
//| sum
//|   check                         kind      verdict
//|   lengths_of_parameters.c:5:76  null      verified assuming a1
//|   lengths_of_parameters.c:5:76  bounds    unverified [weak-invariants]
//|   lengths_of_parameters.c:5:67  overflow  verified
//|   a1: valid-parameters at lengths_of_parameters.c:5:5: `a` points to the start of a live object of at least 4 bytes
//|
//| dot
//|   check                         kind      verdict
//|   lengths_of_parameters.c:6:90  null      verified assuming a2
//|   lengths_of_parameters.c:6:90  bounds    unverified [weak-invariants]
//|   lengths_of_parameters.c:6:97  null      verified assuming a3
//|   lengths_of_parameters.c:6:97  bounds    unverified [weak-invariants]
//|   lengths_of_parameters.c:6:81  overflow  verified
//|   a2: valid-parameters at lengths_of_parameters.c:6:5: `a` points to the start of a live object of at least 4 bytes
//|   a3: valid-parameters at lengths_of_parameters.c:6:5: `b` points to the start of a live object of at least 4 bytes
//|
//| max
//|   check                         kind      verdict
//|   lengths_of_parameters.c:7:75  null      verified assuming a4
//|   lengths_of_parameters.c:7:75  bounds    unverified [weak-invariants]
//|   lengths_of_parameters.c:7:67  overflow  verified
//|   a4: valid-parameters at lengths_of_parameters.c:7:5: `a` points to the start of a live object of at least 4 bytes
//|
//| fill
//|   check                         kind    verdict
//|   lengths_of_parameters.c:8:74  null    verified assuming a5
//|   lengths_of_parameters.c:8:74  bounds  unverified [weak-invariants]
//|   a5: valid-parameters at lengths_of_parameters.c:8:6: `a` points to the start of a live object of at least 4 bytes
//|
//| narrow
//|   check                         kind    verdict
//|   lengths_of_parameters.c:9:80  null    verified assuming a6
//|   lengths_of_parameters.c:9:80  bounds  unverified [weak-invariants]
//|   a6: valid-parameters at lengths_of_parameters.c:9:6: `a` points to the start of a live object of at least 4 bytes
//|
//| shorts
//|   check                          kind      verdict
//|   lengths_of_parameters.c:10:76  null      verified assuming a7
//|   lengths_of_parameters.c:10:76  bounds    unverified [weak-invariants]
//|   lengths_of_parameters.c:10:67  overflow  verified
//|   a7: valid-parameters at lengths_of_parameters.c:10:6: `a` points to the start of a live object of at least 2 bytes
//|
//| points
//|   check                          kind      verdict
//|   lengths_of_parameters.c:11:95  null      verified assuming a8
//|   lengths_of_parameters.c:11:95  bounds    unverified [weak-invariants]
//|   lengths_of_parameters.c:11:81  overflow  verified
//|   a8: valid-parameters at lengths_of_parameters.c:11:5: `a` points to the start of a live object of at least 6 bytes
//|
//| count
//|   check                          kind    verdict
//|   lengths_of_parameters.c:12:81  null    verified assuming a9
//|   lengths_of_parameters.c:12:81  bounds  unverified [weak-invariants]
//|   a9: valid-parameters at lengths_of_parameters.c:12:8: `a` points to the start of a live object of at least 1 byte
//|
//| at
//|   check                          kind    verdict
//|   lengths_of_parameters.c:13:82  null    verified assuming a10
//|   lengths_of_parameters.c:13:82  bounds  unverified [caller-state]
//|   a10: valid-parameters at lengths_of_parameters.c:13:5: `a` points to the start of a live object of at least 4 bytes
//|
//| 25 checks: 5 verified, 10 verified under assumptions, 10 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|    9 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.
//|    1 [caller-state] State what callers guarantee with assert where the function begins (requires in
//|          Boogie); footpath test looks for an input that makes it fail.
