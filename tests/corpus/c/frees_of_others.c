/* Only what was allocated is freed, from its start. */
#include <alloca.h>
#include <stdlib.h>

struct pair { int first, second; };

int local(int k)
{
    int x = k;
    if (k == 7)
        free(&x); //@ fails free
    return x;
}

int parameter(int k)
{
    if (k == 7)
        free(&k); //@ fails free
    return k;
}

int array(int k)
{
    char text[8] = "abc";
    char *p = text;
    if (k < 0)
        p = malloc(4);
    if (!p)
        return 0;
    free(p); //@ fails free
    return text[0];
}

int variable_length(int n)
{
    if (n < 1 || n > 4)
        return 0;
    int a[n];
    a[0] = n;
    if (n == 3)
        free(a); //@ fails free
    return a[0];
}

int of_the_stack(int k)
{
    char *p = alloca(8);
    *p = 1;
    if (k > 2)
        free(p); //@ fails free
    return 1;
}

int member(void)
{
    struct pair *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->second = 4;
    free(&p->second); //@ fails free
    return 1;
}

int first_member(void)
{
    struct pair *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->first = 4;
    free(&p->first); //@ holds free
    return 1;        //@ covered
}

int global;
int of_a_variable(int k)
{
    if (k == 5)
        free(&global); //@ fails free
    return global;
}

int moved_local(int k)
{
    int x = k;
    int *p = &x;
    if (k == 9)
        p = realloc(p, 8); //@ fails free
    return p != 0;
}
