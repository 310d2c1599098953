/* A text is walked through to its end, under an assumption. */
struct named { char *name; };
unsigned long length(const char *s) { unsigned long n = 0; while (s[n]) n++; return n; }
const char *end(const char *s) { while (*s) s++; return s; }
const char *find(const char *s, char c) { while (*s && *s != c) s++; return s; }
int same(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return *a == *b; }
int digits(const char *s) { int n = 0, c; while ((c = *s++)) if (c >= '0' && c <= '9') n = c; return n; }
int kinds(const char *s) { for (;; s++) switch (*s) { case 0: return 1; case 'x': return 2; } }
int named(struct named *p) { int n = 0; for (const char *s = p->name; *s; s++) n ^= *s; return n; }
int passed(struct named *p) { return p->name && end(p->name) != p->name; }
int marks(const char *s, int *out) { for (; *s; s++) *out = 1; return 0; }

//@ run: verify --verbose
//@ exit: 0
//| length
//|   check                 kind    verdict
//|   ends_of_texts.c:3:67  null    verified assuming a1
//|   ends_of_texts.c:3:67  bounds  verified assuming a1, a2
//|   a1: valid-parameters at ends_of_texts.c:3:15: `s` points to the start of a live object of at least 1 byte
//|   a2: terminated-strings at ends_of_texts.c:3:15: `s` points into an object whose last byte is zero
//|
//| end
//|   check                 kind    verdict
//|   ends_of_texts.c:4:41  null    verified assuming a3
//|   ends_of_texts.c:4:41  bounds  verified assuming a3, a4
//|   a3: valid-parameters at ends_of_texts.c:4:13: `s` points to the start of a live object of at least 1 byte
//|   a4: terminated-strings at ends_of_texts.c:4:13: `s` points into an object whose last byte is zero
//|
//| find
//|   check                 kind    verdict
//|   ends_of_texts.c:5:50  null    verified assuming a5
//|   ends_of_texts.c:5:50  bounds  verified assuming a5, a6
//|   a5: valid-parameters at ends_of_texts.c:5:13: `s` points to the start of a live object of at least 1 byte
//|   a6: terminated-strings at ends_of_texts.c:5:13: `s` points into an object whose last byte is zero
//|
//| same
//|   check                 kind    verdict
//|   ends_of_texts.c:6:49  null    verified assuming a7
//|   ends_of_texts.c:6:49  bounds  verified assuming a7, a9
//|   ends_of_texts.c:6:61  null    verified assuming a8
//|   ends_of_texts.c:6:61  bounds  verified assuming a8, a10
//|   ends_of_texts.c:6:82  null    verified
//|   ends_of_texts.c:6:82  bounds  verified
//|   ends_of_texts.c:6:88  null    verified assuming a8
//|   ends_of_texts.c:6:88  bounds  verified assuming a8, a10
//|   a7: valid-parameters at ends_of_texts.c:6:5: `a` points to the start of a live object of at least 1 byte
//|   a8: valid-parameters at ends_of_texts.c:6:5: `b` points to the start of a live object of at least 1 byte
//|   a9: terminated-strings at ends_of_texts.c:6:5: `a` points into an object whose last byte is zero
//|   a10: terminated-strings at ends_of_texts.c:6:5: `b` points into an object whose last byte is zero
//|
//| digits
//|   check                 kind    verdict
//|   ends_of_texts.c:7:55  null    verified assuming a11
//|   ends_of_texts.c:7:55  bounds  verified assuming a11, a12
//|   a11: valid-parameters at ends_of_texts.c:7:5: `s` points to the start of a live object of at least 1 byte
//|   a12: terminated-strings at ends_of_texts.c:7:5: `s` points into an object whose last byte is zero
//|
//| kinds
//|   check                 kind    verdict
//|   ends_of_texts.c:8:49  null    verified assuming a13
//|   ends_of_texts.c:8:49  bounds  verified assuming a13, a14
//|   a13: valid-parameters at ends_of_texts.c:8:5: `s` points to the start of a live object of at least 1 byte
//|   a14: terminated-strings at ends_of_texts.c:8:5: `s` points into an object whose last byte is zero
//|
//| named
//|   check                 kind    verdict
//|   ends_of_texts.c:9:65  null    verified assuming a17
//|   ends_of_texts.c:9:65  bounds  verified assuming a17
//|   ends_of_texts.c:9:71  null    verified assuming a15
//|   ends_of_texts.c:9:71  bounds  verified assuming a15, a16
//|   a15: valid-pointers at ends_of_texts.c:9:58: the pointer that is read here points into a live object, with at least 1 byte from there on
//|   a16: terminated-strings at ends_of_texts.c:9:58: the pointer that is read here points into an object whose last byte is zero
//|   a17: valid-parameters at ends_of_texts.c:9:5: `p` points to the start of a live object of at least 8 bytes
//|
//| passed
//|   check                  kind    verdict
//|   ends_of_texts.c:10:41  null    verified assuming a18
//|   ends_of_texts.c:10:41  bounds  verified assuming a18
//|   ends_of_texts.c:10:68  bounds  verified
//|   a18: valid-parameters at ends_of_texts.c:10:5: `p` points to the start of a live object of at least 8 bytes
//|
//| marks
//|   check                  kind    verdict
//|   ends_of_texts.c:11:45  null    verified assuming a19
//|   ends_of_texts.c:11:45  bounds  verified assuming a19, a21, a22
//|   ends_of_texts.c:11:59  null    verified assuming a20
//|   ends_of_texts.c:11:59  bounds  verified assuming a20
//|   a19: valid-parameters at ends_of_texts.c:11:5: `s` points to the start of a live object of at least 1 byte
//|   a20: valid-parameters at ends_of_texts.c:11:5: `out` points to the start of a live object of at least 4 bytes
//|   a21: distinct-parameters at ends_of_texts.c:11:5: `s` and `out` point to different objects
//|   a22: terminated-strings at ends_of_texts.c:11:5: `s` points into an object whose last byte is zero
//|
//| 29 checks: 3 verified, 26 verified under assumptions, 0 unverified, 0 failing

//@ run: verify --verbose --assume few-rounds,no-overflow,allocation-succeeds,parameter-lengths,valid-parameters,valid-pointers,distinct-parameters,callees-keep
//@ exit: 0
//| length
//|   check                 kind    verdict
//|   ends_of_texts.c:3:67  null    verified assuming a1
//|   ends_of_texts.c:3:67  bounds  unverified [weak-invariants]
//|   a1: valid-parameters at ends_of_texts.c:3:15: `s` points to the start of a live object of at least 1 byte
//|
//| end
//|   check                 kind    verdict
//|   ends_of_texts.c:4:41  null    verified assuming a2
//|   ends_of_texts.c:4:41  bounds  unverified [weak-invariants]
//|   a2: valid-parameters at ends_of_texts.c:4:13: `s` points to the start of a live object of at least 1 byte
//|
//| find
//|   check                 kind    verdict
//|   ends_of_texts.c:5:50  null    verified assuming a3
//|   ends_of_texts.c:5:50  bounds  unverified [weak-invariants]
//|   a3: valid-parameters at ends_of_texts.c:5:13: `s` points to the start of a live object of at least 1 byte
//|
//| same
//|   check                 kind    verdict
//|   ends_of_texts.c:6:49  null    verified assuming a4
//|   ends_of_texts.c:6:49  bounds  unverified [weak-invariants]
//|   ends_of_texts.c:6:61  null    verified assuming a5
//|   ends_of_texts.c:6:61  bounds  unverified [weak-invariants]
//|   ends_of_texts.c:6:82  null    verified
//|   ends_of_texts.c:6:82  bounds  verified
//|   ends_of_texts.c:6:88  null    verified assuming a5
//|   ends_of_texts.c:6:88  bounds  unverified [weak-invariants]
//|   a4: valid-parameters at ends_of_texts.c:6:5: `a` points to the start of a live object of at least 1 byte
//|   a5: valid-parameters at ends_of_texts.c:6:5: `b` points to the start of a live object of at least 1 byte
//|
//| digits
//|   check                 kind    verdict
//|   ends_of_texts.c:7:55  null    verified assuming a6
//|   ends_of_texts.c:7:55  bounds  unverified [weak-invariants]
//|   a6: valid-parameters at ends_of_texts.c:7:5: `s` points to the start of a live object of at least 1 byte
//|
//| kinds
//|   check                 kind    verdict
//|   ends_of_texts.c:8:49  null    verified assuming a7
//|   ends_of_texts.c:8:49  bounds  unverified [weak-invariants]
//|   a7: valid-parameters at ends_of_texts.c:8:5: `s` points to the start of a live object of at least 1 byte
//|
//| named
//|   check                 kind    verdict
//|   ends_of_texts.c:9:65  null    verified assuming a9
//|   ends_of_texts.c:9:65  bounds  verified assuming a9
//|   ends_of_texts.c:9:71  null    verified assuming a8
//|   ends_of_texts.c:9:71  bounds  unverified [weak-invariants]
//|   a8: valid-pointers at ends_of_texts.c:9:58: the pointer that is read here points into a live object, with at least 1 byte from there on
//|   a9: valid-parameters at ends_of_texts.c:9:5: `p` points to the start of a live object of at least 8 bytes
//|
//| passed
//|   check                  kind    verdict
//|   ends_of_texts.c:10:41  null    verified assuming a10
//|   ends_of_texts.c:10:41  bounds  verified assuming a10
//|   ends_of_texts.c:10:68  bounds  verified
//|   a10: valid-parameters at ends_of_texts.c:10:5: `p` points to the start of a live object of at least 8 bytes
//|
//| marks
//|   check                  kind    verdict
//|   ends_of_texts.c:11:45  null    verified assuming a11
//|   ends_of_texts.c:11:45  bounds  unverified [weak-invariants]
//|   ends_of_texts.c:11:59  null    verified assuming a12
//|   ends_of_texts.c:11:59  bounds  verified assuming a12
//|   a11: valid-parameters at ends_of_texts.c:11:5: `s` points to the start of a live object of at least 1 byte
//|   a12: valid-parameters at ends_of_texts.c:11:5: `out` points to the start of a live object of at least 4 bytes
//|
//| 29 checks: 3 verified, 16 verified under assumptions, 10 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   10 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.
