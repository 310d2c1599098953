/* How much memory there is nobody knows. What is no size at all is not allocated. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int one_and_a_half_gigabytes(void)
{
    char *p = malloc(1500000000);
    if (!p)
        return 1; //@ covered
    free(p);
    return 2; //@ may run
}

int hundred_megabytes(size_t n)
{
    if (n < 100000000 || n > 110000000)
        return 0;
    char *p = malloc(n);
    if (!p)
        return 1; //@ covered
    free(p);
    return 2; //@ covered
}

void bound_of_nobody(size_t n)
{
    char *p = malloc(n);
    if (!p)
        return;
    assert(n <= 67108864); //@ fails assert
    free(p);
}

int negative(int n)
{
    if (n >= 0)
        return 0;
    char *p = malloc(n);
    if (p)
        return 1; //@ unreachable
    return 2;     //@ covered
}

int product_overflows(void)
{
    char *p = calloc(1ul << 61, 16);
    if (!p)
        return 1; //@ covered
    return 2;     //@ unreachable
}

int product_of_inputs(size_t n, size_t each)
{
    if (n < 1ul << 33 || each < 1ul << 33)
        return 0;
    char *p = calloc(n, each);
    if (p)
        return 1; //@ may run
    return 2;     //@ may run
}

int zeros_behind_a_large_one(void)
{
    char *p = calloc(100 << 20, 1);
    if (!p)
        return 1; //@ covered
    assert(0);    //@ may fail assert
    return p[0];
}

int copies_may_fail(void)
{
    char *p = strdup("abc");
    if (!p)
        return 1; //@ may run
    int first = p[0];
    free(p);
    return first == 'a' ? 2 : 3; //@ covered
}
