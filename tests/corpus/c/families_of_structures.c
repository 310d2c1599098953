/* Conditions on members of some element of an array, and on elements that are floating-point numbers. */
#include <assert.h>

struct item { int kind, size; };
struct mixed { char tag; double weight; struct { short x, y; } at; };

void kinds(const struct item *a, int n)
{
    for (int i = 0; i < n; i++)
        assert(a[i].kind != 3); //@ fails assert, fails null, may fail bounds
}

void in_order(const struct item *a, int n)
{
    for (int i = 1; i < n; i++)
        assert(a[i - 1].size <= a[i].size); //@ fails assert, fails null, may fail bounds
}

void pairs(const struct item *a, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i].kind == 1) //@ fails null, may fail bounds
            assert(a[i].size > 2); //@ fails assert
}

void tags(const struct mixed *m, int n)
{
    for (int i = 0; i < n; i++)
        assert(m[i].tag != 'x'); //@ fails assert, fails null, may fail bounds
}

void places(const struct mixed *m, int n)
{
    for (int i = 0; i < n; i++)
        assert(m[i].at.y != 5); //@ fails assert, fails null, may fail bounds
}

void weights(const struct mixed *m, int n)
{
    for (int i = 0; i < n; i++)
        assert(m[i].weight < 10.0); //@ fails assert, fails null, may fail bounds
}

void numbers(const float *m, int n)
{
    for (int i = 0; i < n; i++)
        assert(!(m[i] > 10.0f)); //@ fails assert, fails null, may fail bounds
}

static struct item table[6];

void fill(int i, int kind)
{
    if (i >= 0 && i < 6)
        table[i].kind = kind;
}

void look(unsigned n)
{
    for (unsigned i = 0; i < n && i < 6; i++)
        assert(table[i].kind != 4); //@ fails assert
}

//@ run: failures --function kinds --timeout 300
//@ exit: 0
//@ says: fails when (a == NULL && n > 0) || (a != NULL && n > length(a)) || (for some i < n: a[i].kind == 3)
//@ says: exact
//@ says: for (long i = 0; i < n; i++) if (a[i].kind == 3) return 1; return 0;

//@ run: failures --function in_order --timeout 300
//@ exit: 0
//@ says: (for some i + 1 < n: a[i + 1].size < a[i].size)
//@ says: exact

//@ run: failures --function pairs --timeout 300
//@ exit: 0
//@ says: (for some i < n: a[i].kind == 1 && a[i].size <= 2)
//@ says: exact

//@ run: failures --function tags --timeout 300
//@ exit: 0
//@ says: (for some i < n: m[i].tag == 'x')

//@ run: failures --function places --timeout 300
//@ exit: 0
//@ says: (for some i < n: m[i].at.y == 5)

//@ run: failures --function weights --timeout 300
//@ exit: 0
//@ says: (for some i < n: !(m[i].weight < 10.0))
//@ says: (for every i < n: m[i].weight < 10.0)

//@ run: failures --function numbers --timeout 300
//@ exit: 0
//@ says: (for some i < n: m[i] > 10.0f)

//@ run: failures --function look --timeout 300
//@ exit: 0
//@ says: (for some i <= 5 && i < n: table[i].kind == 4)
//@ says: exact
