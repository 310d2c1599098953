/* Calls through a pointer to another type of function: registers decide what arrives, as on the machine, and the call is never
   taken for one that does not happen. */
#include <assert.h>

static int total(int a, int b)
{
    return a + 2 * b;
}

int with_more(int n)
{
    int (*as)(int, int, int) = (int (*)(int, int, int))total;
    int r = as(n & 3, 1, 9);
    if (r == 5)
        return 1; //@ covered
    if (r == 6)
        return 2; //@ unreachable
    return 3; //@ covered
}

static int first(int a, int b)
{
    return b ? a : a;
}

int with_fewer(int n)
{
    int (*as)(int) = (int (*)(int))first;
    int r = as(n & 3);
    if (r == 3)
        return 1; //@ covered
    if (r == 4)
        return 2; //@ unreachable
    return 3; //@ covered
}

static void note(int *p)
{
    *p = 7; //@ fails null
}

int without_result(int n)
{
    int x = n;
    int (*as)(void *) = (int (*)(void *))note;
    as(&x); //@ holds call_type
    if (x == 7)
        return 1; //@ covered
    return 2; //@ unreachable
}

static int low(unsigned char c)
{
    return c;
}

int narrower(int n)
{
    int (*as)(int) = (int (*)(int))low;
    int r = as(256 + (n & 1));
    if (r > 1)
        return 2; //@ unreachable
    return r; //@ covered
}

static long wide(long a)
{
    return a;
}

int wider(int n)
{
    long (*as)(int) = (long (*)(int))wide;
    if ((int)as(n) != n)
        return 1; //@ unreachable
    return 2; //@ covered
}

static int both(double d, int i)
{
    return i == 3 && d > 1.5;
}

int in_another_order(int n)
{
    int (*as)(int, double) = (int (*)(int, double))both;
    if (as(n, 2.0))
        return 1; //@ covered
    return 2; //@ covered
}

static double half(double x)
{
    return x / 2;
}

int number_for_integer(int n)
{
    int (*as)(int) = (int (*)(int))half;
    int r = as(n); //@ fails call_type
    if (n == 7)
        return 1; //@ may run
    return r == 3;
}

struct big {
    long a[4];
};

static long sum(struct big b)
{
    return b.a[0] / 2 + b.a[3] / 2;
}

int address_for_memory(int n)
{
    struct big b = {{n, n, n, n}};
    long (*as)(struct big *) = (long (*)(struct big *))sum;
    long r = as(&b); //@ fails call_type
    if (n == 5)
        return 1; //@ may run
    return r > 0;
}

static void nothing(void)
{
}

void behind_nothing(int n)
{
    int (*as)(int) = (int (*)(int))nothing;
    as(n);
    assert(n != 5); //@ fails assert
}

typedef int (*handler)(void *);
struct own {
    int k;
};

static int handle(struct own *p)
{
    return p->k; //@ fails null
}

int through_a_table(unsigned i, int n)
{
    static const handler table[] = {(handler)handle, (handler)handle};
    struct own x = {n};
    int r = table[i & 1](&x);
    if (r != n)
        return 1; //@ unreachable?
    return 2; //@ covered
}

int direct(int n)
{
    if (((int (*)(int, int))first)(n & 7, 3) == 6)
        return 1; //@ covered
    return 2; //@ covered
}
