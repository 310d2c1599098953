/* A machine puts objects where it likes, but keeps the parts of one together. */
#include <stdint.h>
static char buffer[16];

int remainder_of(void)
{
    uintptr_t x = (uintptr_t)buffer;
    if (x % 16 == 8)
        return 1; //@ may run
    return 0;
}

int low(void)
{
    int x;
    uintptr_t a = (uintptr_t)&x;
    unsigned low = (unsigned)a;
    if (low == 5)
        return 1; //@ may run
    return 0;
}

int meets(void)
{
    int x[2], y;
    if (&y == x + 2)
        return 1; //@ may run
    return 0;
}

int null(char *p)
{
    if (!p) {
        uintptr_t x = (uintptr_t)p;
        if (x & 3)
            return 1; //@ unreachable
    }
    return 0; //@ covered
}

int distance(void)
{
    uintptr_t a = (uintptr_t)(buffer + 3), b = (uintptr_t)buffer;
    if (a - b != 3)
        return 1; //@ unreachable
    return 0; //@ covered
}

int back(void)
{
    uintptr_t a = (uintptr_t)buffer;
    char *p = (char *)(a + 1);
    if (p != buffer + 1)
        return 1; //@ unreachable
    return 0; //@ covered
}

/* An address inside one object is not that of another. */
int inside(int k)
{
    int x[4], y;
    if (&y == x + (k & 3))
        return 1; //@ unreachable
    return 0; //@ covered
}
