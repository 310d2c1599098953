/* Where an object lies is nobody's choice: the low bits of its address are not those of an offset. */
#include <assert.h>
#include <stdint.h>

int until_aligned(const char *s, unsigned n)
{
    int h = 0;
    while (n && (uintptr_t)s % 4) {
        h += *s++; //@ may run
        n--;
        if (h == 7)
            h = 10 / (h - 7); //@ may fail division
    }
    return h;
}

int odd(char *p)
{
    assert(!((uintptr_t)p & 1)); //@ may fail assert
    return 0;
}

int behind_another(int x)
{
    static int a[2];
    uintptr_t t = (uintptr_t)&a[1];
    assert(t & 4 || x); //@ may fail assert
    return 0;
}

/* Of null all bits are known. */
int of_null(int x)
{
    char *p = 0;
    return (uintptr_t)p & 1 ? 100 / x : 0; //@ holds division
}
