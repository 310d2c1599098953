/* Conditions on some element of an array are one condition, and a loop in C, instead of one disjunct for each index. */
#include <assert.h>

void all_zero(const int *a, int n)
{
    for (int i = 0; i < n; i++)
        assert(a[i] == 0); //@ fails assert, fails null, may fail bounds
}

void in_order(const int *a, unsigned n)
{
    for (unsigned k = 1; k < n; k++)
        assert(a[k - 1] <= a[k]); //@ fails assert, fails null, may fail bounds
}

void no_character(const char *text, int n, char not)
{
    for (int i = 0; i < n; i++)
        assert(text[i] != not); //@ fails assert, fails null, may fail bounds
}

/* Two indices are no family. */
void two(const int *a)
{
    if (a && (a[0] == 3 || a[1] == 3)) //@ may fail bounds
        assert(a[2] == 0); //@ fails assert, may fail bounds
}

//@ run: failures --function all_zero --timeout 300
//@ exit: 0
//@ says: fails when (a == NULL && n > 0) || (a != NULL && n > length(a)) || (for some i < n: a[i] != 0)
//@ says: exact
//@ says: for (long i = 0; i < n; i++) if (a[i] != 0) return 1; return 0;
//@ says: (for every i < n: a[i] == 0)
//@ says: (for some i < n: a[i] != 0): assert

//@ run: failures --function in_order --timeout 300
//@ exit: 0
//@ says: (for some i + 1 < n: a[i + 1] < a[i])
//@ says: (for every i + 1 < n: a[i] <= a[i + 1])
//@ says: exact

//@ run: failures --function no_character --timeout 300
//@ exit: 0
//@ says: for some i < n: not == text[i]
//@ says: exact

//@ run: failures --function two
//@ exit: 0
//@ never says: for some
