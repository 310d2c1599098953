/* Objects at the limits of their sizes, of their lifetimes and of what may be done with them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int large(void)
{
    char *p = malloc(300ul << 20);
    if (!p)
        return 1; //@ may run
    p[5] = 1;
    free(p);
    return 2; //@ may run
}
int too_many(void)
{
    long *p = calloc(1ul << 62, 8);
    if (p)
        return 1; //@ unreachable?
    return 2; //@ covered?
}
int product(size_t n)
{
    int *p = calloc(n, sizeof(int));
    if (!p)
        return 1; //@ covered?
    if (n > 3)
        p[3] = 1; //@ holds bounds
    p[0] = 1; //@ fails bounds
    free(p);
    return 0;
}
int left_block(int n)
{
    int *p = 0;
    {
        int x = n;
        p = &x;
    }
    return *p; //@ fails use_after_free
}
int after_a_loop(int n)
{
    int *p = &n;
    for (int i = 0; i < 2; i++) {
        int x = i;
        if (i == 1)
            p = &x;
    }
    return *p; //@ fails use_after_free
}
void frees(int n)
{
    int x = 1, *p = n > 5 ? &x : malloc(4);
    free(p); //@ fails free
}
void frees_middle(int n)
{
    char *p = malloc(8);
    if (p && n)
        p += n & 1;
    free(p); //@ fails free
}
int overlap(unsigned n)
{
    char b[8] = "abcdefg";
    if (n == 0 || n > 4)
        return 0;
    memcpy(b, b + n, 4); //@ fails overlap
    return b[0];
}
int apart(unsigned n)
{
    char b[8] = "abcdefg";
    if (n != 4)
        return 0;
    memcpy(b, b + n, 4); //@ holds overlap
    return b[0];
}
int lengths(int n)
{
    if (n > 8)
        return 0;
    int a[n]; //@ fails vla_length
    a[0] = 1;
    return a[0];
}
int twice(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    char *q = realloc(p, 400);
    if (q) {
        free(q);
        return 1; //@ covered?
    }
    p[0] = 1; //@ holds use_after_free
    free(p);
    return 2; //@ covered?
}
int rows(int i, int j)
{
    static int m[3][4];
    if (i < 0 || i > 2 || j < 0 || j > 11 - 4 * i)
        return 0;
    return m[i][j]; //@ fails subobject, holds bounds
}
long shifted(int n)
{
    if (n < -2 || n > 2)
        return 0;
    return n << 3; //@ fails shift
}
int wrote(void)
{
    char *s = "abc";
    s[0] = 'x'; //@ fails constant
    return s[0];
}
int mapped(uintptr_t base, int n)
{
    char *p = (char *)base;
    if (n)
        return p == 0; //@ covered
    return 2; //@ covered
}
