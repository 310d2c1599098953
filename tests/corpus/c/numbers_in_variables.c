/* An address that is a number in a variable: only the machine knows what is there, as where it is a constant. */
#include <stdint.h>

int global = 7;
static uintptr_t base = 0x40000000;

int written(int n)
{
    uintptr_t a = 0x40000000;
    global = 3;
    *(volatile int *)a = 1; //@ may fail
    if (global != 3)
        return 1; //@ may run
    return n; //@ may run
}

int computed(int n)
{
    uintptr_t registers = 0x40000000;
    volatile int *p = (volatile int *)(registers + 4 * (unsigned)(n & 7));
    if (*p == 3)
        return 1; //@ may run
    return 2; //@ may run
}

int read_twice(void)
{
    int *p = (int *)base;
    int first = *p; //@ may fail
    base = 0x40000000;
    if (first != *p)
        return 1; //@ may run
    return 2; //@ may run
}

/* The upper bits are those of an object of the program form. */
int far(void)
{
    uintptr_t a = 0x7f1234567000;
    if (*(int *)a == 3)
        return 1; //@ may run
    return 2; //@ may run
}

static int callee(int *at, int n)
{
    if (n > 3)
        return *at;
    return n;
}

int not_accessed(int n)
{
    uintptr_t a = 0x50000000;
    int got = callee((int *)a, n & 3);
    if (got > 3)
        return 1; //@ unreachable?
    return 2; //@ covered
}

/* An address that goes through a number and back is none. */
int back(int n)
{
    int local = n & 3;
    uintptr_t a = (uintptr_t)&local;
    int *p = (int *)a;
    *p += 1;
    if (local > 4)
        return 1; //@ unreachable?
    return local; //@ covered
}

int small(int n)
{
    uintptr_t a = 16;
    if (n == 1)
        return *(int *)a; //@ fails null
    return 2; //@ covered
}
