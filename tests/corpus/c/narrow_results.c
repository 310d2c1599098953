/* Functions with a narrow result that are called as ones with a wide result: nobody sets the upper bits (`setl %al`). */
#include <stdbool.h>

static bool is_less(int a, int b) { return a < b; }
static unsigned char low(int n) { return (unsigned char)n; }
static short narrow(int n) { return (short)n; }

int from_bool(int a, int b)
{
    int (*f)(int, int) = (int (*)(int, int))is_less;
    int r = f(a, b);
    if (r > 1)
        return 1; //@ may run
    if (r == 1)
        return 2; //@ may run
    return 3; //@ may run
}

int from_character(int n)
{
    int (*f)(int) = (int (*)(int))low;
    if (f(n) > 255)
        return 1; //@ may run
    return 2; //@ may run
}

int from_short(int n)
{
    int (*f)(int) = (int (*)(int))narrow;
    if (f(n) > 40000)
        return 1; //@ may run
    return 2; //@ may run
}

int one_byte(int a, int b)
{
    unsigned char (*f)(int, int) = (unsigned char (*)(int, int))is_less;
    if (f(a, b) > 1)
        return 1; //@ unreachable?
    return 2; //@ may run
}

//@ ask: verify --sound --solver-seconds 1
//@ ask: reach --timeout 2
//@ ask: failures --timeout 3
