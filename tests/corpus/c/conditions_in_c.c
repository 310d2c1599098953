/* Conditions of failure are C, whatever they speak of: each is compiled and evaluated on the inputs of its tests. */
#include <stddef.h>
static const int days[] = {31, 28, 31};
int minus(int x) { return x - 5; } //@ fails overflow
int plus(int x) { return x + 7; } //@ fails overflow
long long far(long long x) { return x * 3; } //@ fails overflow
int thrice(int x) { return x * 3; } //@ fails overflow
int product(int x, int y) { return x * y; } //@ fails overflow
int quotient(int x, int y) { return x / y; } //@ fails division, fails overflow
int negated(int x) { return -x; } //@ fails overflow
int shifted(int x, int n) { return n < 40 ? 1 << (n & x) : 0; } //@ fails shift
int difference(int a, int b) { return a - b; } //@ fails overflow
int letter(const char *s, int n) { if (s[n] == 'x') return 10 / (s[0] - 'a'); return 0; } //@ fails division
int element(const int *a, long n) { return a[n]; } //@ fails null, fails bounds
int fourth(int n, int d) { if (n % 4 == 0 && n % 100 != 0) return 1 / d; return 0; } //@ fails division
unsigned rest(unsigned a, unsigned b) { return a / (b - a); } //@ fails division
int flag(_Bool b, unsigned char c) { return 1 / (b + c); } //@ fails division
int narrow(signed char c, unsigned short u) { return 1 / ((unsigned char)c - u); } //@ fails division
int left(int m, int d) { return 1 / (days[m - 1] - d); } //@ fails division
int within(const int *a, int n, int i) { return i > n ? -1 : a[i]; } //@ fails null, fails bounds
int three(int a, int b, int c) { return a + b + c; } //@ fails overflow
int digit(char c) { return 1 / (c >= '0' && c <= '9'); } //@ fails division
int positive(double x) { return 1 / (x >= 0.0); } //@ fails division
int no_half(float f) { return 1 / (f != 0.5f); } //@ fails division
int finite_one(double d) { return 1 / (d - d == 0.0); } //@ fails division
int below(int i, double d) { return 1 / (i < d); } //@ fails division
int signed_one(double d) { return 1 / !__builtin_signbit(d); } //@ fails division
int area(float f, float g) { return 1 / (f * g < 2.0f); } //@ fails division
int no_infinity(double d) { return 1 / !__builtin_isinf(d); } //@ fails division
int no_nan(float f) { return 1 / !__builtin_isnan(f); } //@ fails division
int wider(float f, double d) { return 1 / (f < d); } //@ fails division
int other(unsigned u, float f) { return 1 / ((float)u != f); } //@ fails division
int fraction(double d) { return 1 / (__builtin_floor(d) != d); } //@ fails division
int far_from(const double *p, double d) { return 1 / (__builtin_fabs(*p - d) > 1e-3); } //@ fails division
int opposite(float f, float g) { return 1 / (-f != g); } //@ fails division

//@ ask: failures --timeout 60
