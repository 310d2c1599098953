/* Conditions of failure mean in C what they mean on the machine: nothing in them overflows, and nothing is divided by zero. */
#include <assert.h>
struct two { int a; int b; };
struct wide { char *v; long n; };
struct pair { float x, y; };
union num { int i; float f; };
void wraps(int a, int b) { assert((int)((unsigned)a + (unsigned)b) <= 0); } //@ fails assert
void wraps_product(int a, int b) { assert((int)((unsigned)a * (unsigned)b) != 7); } //@ fails assert
void narrow_sum(unsigned char a, unsigned char b) { unsigned char s = a + b; assert(s != 3); } //@ fails assert
void mixed(unsigned u, int i) { assert(u > i); } //@ fails assert
void mixed_width(short s, unsigned long n) { assert(s + n != 9); } //@ fails assert
void by_value(struct two t) { assert(t.a != 3 || t.b < t.a); } //@ fails assert
void by_value_pointer(struct wide w) { assert(w.v && w.n > 0); } //@ fails assert
void by_value_float(struct pair f) { assert(f.x < 2.0f || f.y > 1.0f); } //@ fails assert
void in_union(union num *n) { assert(!n || n->i != 3); } //@ fails assert
void in_union_float(union num *n) { assert(!n || n->f < 2.0f); } //@ fails assert
int divides(int v) { return 1 << (32 / v); } //@ fails? division, fails shift
int modulo(int a, int b) { if (b == 0) return 0; return 5 / (a % b); } //@ fails division
int shifts(unsigned n, int k) { return 10 / ((1u << (k & 31)) - n); } //@ fails division
void absolute(int x) { int m = x < 0 ? -(unsigned)x : x; assert(m >= 0); } //@ fails assert
void average(int a, int b) { assert((int)((unsigned)a + b) / 2 != 5); } //@ fails assert
void high_bits(unsigned long x) { assert((x >> 33) != 5); } //@ fails assert
void swap16(unsigned short x) { unsigned short y = x << 8 | x >> 8; assert(y != 0x1234); } //@ fails assert

//@ ask: failures --timeout 60

//@ run: failures --function by_value --function by_value_pointer --function divides --function wraps
//@ exit: 0
//@ says: fails when t.a == 3 && t.a <= t.b
//@ says: fails when w.v == NULL || w.n <= 0
//@ says: fails when v == 0 || 32 / v < 0 || 32 / v >= 32
//@ says: fails when 0 < (int)((unsigned)a + (unsigned)b)
