/* Whether equal string literals, or one and the end of another, are one object is unspecified, also where their addresses are numbers. */
#include <assert.h>
#include <stdint.h>

int equal(void)
{
    if ((uintptr_t)"a" == (uintptr_t)"a")
        return 1; //@ may run
    return 2;     //@ may run
}

int difference(void)
{
    uintptr_t distance = (uintptr_t)"abc" - (uintptr_t)"abc";
    if (distance)
        return 1; //@ may run
    return 2;     //@ may run
}

int in_a_choice(int n)
{
    return n / ((uintptr_t)"b" == (uintptr_t)"b" ? 0 : 1); //@ may fail division
}

int through_variables(void)
{
    uintptr_t x = (uintptr_t)"c", y = (uintptr_t)"c";
    if (x == y)
        return 1; //@ may run
    return 2;     //@ may run
}

int through_pointers(void)
{
    const char *p = "d", *q = "d";
    uintptr_t x = (uintptr_t)p, y = (uintptr_t)q;
    if (x != y)
        return 1; //@ may run
    return 2;     //@ may run
}

int exclusive(void)
{
    if ((uintptr_t)"e" ^ (uintptr_t)"e")
        return 1; //@ may run
    return 2;     //@ may run
}

int low_bits(void)
{
    if ((unsigned)(uintptr_t)"f" == (unsigned)(uintptr_t)"f")
        return 1; //@ may run
    return 2;     //@ may run
}

void asserted(void)
{
    assert((uintptr_t)"h" == (uintptr_t)"h"); //@ may fail assert
}

void asserted_apart(void)
{
    assert((uintptr_t)"h" != (uintptr_t)"h"); //@ may fail assert
}

/* Of one object all of this is known. */
static int numbers[4];

int one_object(void)
{
    if ((uintptr_t)&numbers[3] - (uintptr_t)&numbers[1] != 2 * sizeof(int))
        return 1; //@ unreachable
    if ((uintptr_t)numbers == (uintptr_t)&numbers[1])
        return 2; //@ unreachable
    return 3;     //@ covered
}

int one_literal(void)
{
    const char *p = "only";
    uintptr_t x = (uintptr_t)p;
    if (x != (uintptr_t)p)
        return 1; //@ unreachable?
    return 2;     //@ covered
}
