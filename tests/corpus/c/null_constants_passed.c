/* Null pointers that are constants, passed or returned where an attribute forbids them: the compiler computes the check. */
#include <stddef.h>

__attribute__((nonnull(2))) static int second(int *p, int *q)
{
    return p ? *p > *q : *q > 3;
}

int passed(int *p, int n)
{
    if (n)
        return second(p, NULL); //@ fails nonnull
    return second(p, &n); //@ holds nonnull
}

__attribute__((returns_nonnull)) int *returned(void)
{
    return NULL; //@ fails nonnull
}

__attribute__((nonnull)) int outside(const char *p, void *q);

int passed_on(const char *p)
{
    if (!p)
        return 0;
    return outside(p, 0); //@ fails nonnull
}
