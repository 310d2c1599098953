/* What declarations promise, and what constants, tables and types of parameters make of the code behind them. */
#include <stdlib.h>

__attribute__((nonnull)) int given(int *p) { return *p; } //@ holds? null
int third(int a[static 3]) { return a[2]; } //@ holds? bounds
__attribute__((returns_nonnull)) int *never_null(int c)
{
    static int x;
    return c ? &x : 0; //@ fails nonnull
}
int passes(int c)
{
    int x = 3;
    return given(c ? &x : 0); //@ fails nonnull
}
__attribute__((weak)) int limit(void) { return 3; }
int under_limit(int n)
{
    if (limit() != 3)
        return 1; //@ may run
    return n;
}
extern int table[] __attribute__((weak));
int of_table(void) { return table[0]; } //@ may fail
static int takes(int n) { return n + 1; }
int calls(int n)
{
    int (*f)(void) = (int (*)(void))takes;
    if (n > 3)
        return f(); //@ may run
    return 0; //@ covered
}
static double takes_double(double x) { return x; }
int calls_wrongly(int n)
{
    int (*f)(int) = (int (*)(int))takes_double;
    return f(n); //@ fails call_type
}
int sizes(char *p)
{
    if (__builtin_object_size(p, 0) == 5)
        return 1; //@ may run
    return 0; //@ covered
}
#define RATE 0
int rate(void) { return 1000 / RATE; } //@ fails division
int rest(int n) { return n % (RATE + 0); } //@ fails division
int chosen(int n) { return n > 5 ? 100 / (RATE * n) : 2; } //@ fails division
static const int divisors[4] = {1, 2, 0, 3};
static const int others[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int by_table(unsigned i) { return 10 / divisors[i & 3]; } //@ fails division
int by_others(unsigned i) { return 10 / others[i & 7]; } //@ holds division
int by_partial(unsigned i)
{
    int a[8] = {1, 2};
    if (i > 1)
        return 0;
    return 10 / a[i]; //@ holds division
}
int old_style(x, n)
float x;
short n;
{
    if (x == 0.5f && n == 3)
        return 1; //@ covered?
    return 0; //@ covered?
}
struct mixed {
    signed char a;
    long b;
};
long by_value(struct mixed s) { return 10 / (s.a + s.b); } //@ fails division
union view {
    char *p;
    unsigned long n;
};
int views(union view u)
{
    if (u.n == 17)
        return 1; //@ covered?
    if (u.n && (u.n & 1) == 0)
        return 2; //@ may run
    return 0; //@ covered?
}
