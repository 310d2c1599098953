/* What was never written decides nothing; copying it is fine. */
#include <stdlib.h>
#include <string.h>

struct point { char tag; int x, y; };
struct bits { unsigned low : 3, high : 5; };

int half_assigned(int c)
{
    int x;
    if (c > 3)
        x = c;
    if (x > 5)    //@ fails uninitialised
        return 1;
    return 2;
}

int correlated(int c)
{
    int x;
    if (c > 3)
        x = c;
    if (c > 3 && x > 5) //@ holds uninitialised
        return 1;       //@ covered
    return 2;           //@ covered
}

int member_copied(int v)
{
    struct point a, b;
    a.x = v;
    b = a;           //@ holds? uninitialised
    if (b.x > 1)     //@ holds uninitialised
        return 1;    //@ covered
    if (b.y > 1)     //@ fails uninitialised
        return 3;
    return 2;
}

int neighbouring_bits(unsigned v)
{
    struct bits b;
    b.low = v;
    if (b.low > 2)  //@ holds uninitialised
        return 1;   //@ covered
    if (b.high > 2) //@ fails uninitialised
        return 2;
    return 3;
}

static void set(int *p, int c)
{
    if (c)
        *p = 7;
}

int by_a_callee(int c)
{
    int x;
    set(&x, c);
    if (x > 3)    //@ fails uninitialised
        return 1;
    return 0;
}

int always_by_a_callee(void)
{
    int x;
    set(&x, 1);
    if (x > 3)    //@ holds uninitialised
        return 1; //@ covered
    return 0;
}

int on_the_heap(int n)
{
    char *p = malloc(4);
    if (!p || n < 0 || n > 3) {
        free(p);
        return 0;
    }
    memset(p, 1, 3);
    int r = 5;
    if (p[n])     //@ fails uninitialised
        r = 6;
    free(p);
    return r;
}

int zeroed(int n)
{
    char *p = calloc(4, 1);
    if (!p || n < 0 || n > 3) {
        free(p);
        return 0;
    }
    int r = 5;
    if (p[n])     //@ holds uninitialised
        r = 6;
    free(p);
    return r;
}

int as_an_index(int *table)
{
    unsigned i;
    if (!table)
        return 0;
    return table[i & 1]; //@ fails uninitialised
}

int chosen(void)
{
    int x;
    return x > 0 ? 1 : 2; //@ fails uninitialised
}

static int maybe(int c)
{
    int r;
    if (c > 0)
        r = c;
    return r;
}

int result_used(int c)
{
    if (maybe(c) > 4) //@ fails uninitialised
        return 1;
    return 0;
}

int result_not_used(int c)
{
    int r = maybe(c); //@ holds? uninitialised
    if (c <= 0)
        return 0;
    return r;         //@ holds? uninitialised
}
//@ ask: test --check uninitialised --timeout 20 --jobs 1
