/* What one function does says nothing of the proofs about others: pointers that may alias, calls of unknown functions, assembly. */
#include <math.h>
#include <string.h>

int outside(int);

int calls_outside(int a)
{
    return outside(a);
}

int two_pointers(int *p, int *q)
{
    return (*p = 1) + *q; //@ fails null
}

double a_library(double x)
{
    return sin(x);
}

int assembly(int x)
{
    __asm__ volatile("nop # %0" : "+r"(x));
    return x;
}

struct record {
    char one[1];
    unsigned length;
    char rest[4];
};

int of_a_structure(void)
{
    struct record r = {.length = 2};
    if (r.rest[3])
        return 1; //@ unreachable
    return 2; //@ covered
}

int of_an_array(int i)
{
    int a[6] = {1, 2};
    if (i < 2 || i > 5)
        return 0; //@ covered
    if (a[i])
        return 1; //@ unreachable
    return 2; //@ covered
}

static const int table[4] = {1, 2, 3, 4};

int of_a_table(unsigned i)
{
    if (i > 3)
        return 0; //@ covered
    if (table[i] > 4)
        return 1; //@ unreachable
    return 2; //@ covered
}

int of_a_text(void)
{
    char t[] = "abc";
    if (t[1] != 'b')
        return 1; //@ unreachable
    return 2; //@ covered
}

/* What calls them is not spared. */
int through_a_call(int n)
{
    static int kept;
    kept = n;
    calls_outside(n);
    if (kept != n)
        return 1; //@ may run
    return 2; //@ covered
}

int copied(int i)
{
    int own[4];
    memcpy(own, table, sizeof own);
    calls_outside(i);
    if (own[i & 3] > 4)
        return 1; //@ unreachable?
    return 2; //@ covered
}

/* Constants are known wherever a function is called from. */
static int lookup(unsigned i)
{
    if (table[i & 3] == 5)
        return 1; //@ unreachable
    return table[i & 3];
}

int looks_up(unsigned i)
{
    calls_outside(1);
    return lookup(i);
}
