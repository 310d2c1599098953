/* Conditions of failure speak of what earlier calls left. */
#include <stdlib.h>
int table[4];
static struct { int a, b; } both;
void set(int k) { table[k & 3] = k; both.b = k; }

int indexed(int k)
{
    if (table[k & 3] == 7)
        abort(); //@ fails abort
    return 0;
}

int member(int k)
{
    if (both.b == k)
        abort(); //@ fails abort
    return 0;
}

int counts(void)
{
    static int n;
    if (n++ == 2)
        abort(); //@ fails abort
    return 0;
}

int own_types(void)
{
    struct own { int a; };
    static struct own s;
    if (s.a++ == 2)
        abort(); //@ fails? abort
    return 0;
}

//@ run: failures --function indexed --function member --function counts
//@ exit: 0
//@ says: fails when table[k & 3] == 7
//@ says: fails when both.b == k
//@ says: fails when counts::n == 2
//@ says: `counts::n` is the static variable `n` of `counts`
//@ says: fails, compiled and run too: counts::n = 2 (counts::n == 2): abort

//@ run: failures --function own_types
//@ exit: 0
//@ never says: never fails
