/* Addresses of what is gone are those of something else. */
#include <assert.h>
#include <stdlib.h>
void destroy(char *p);

void fresh(void)
{
    char *p = malloc(16), *q = malloc(16);
    if (p && q)
        assert(p != q); //@ holds assert
}

void moved(char *p)
{
    char *q = realloc(p, 20);
    assert(q != p); //@ may fail assert
}

void again(char *p)
{
    if (!p)
        return;
    free(p);
    char *q = malloc(20);
    assert(q != p); //@ may fail assert
}

/* Nothing here frees anything, but what is called may. */
void elsewhere(void)
{
    char *p = malloc(8);
    destroy(p);
    char *q = malloc(8);
    if (p && q)
        assert(p != q); //@ may fail assert
}

//@ run: verify --sound --function fresh
//@ exit: 0
//@ says: 0 unverified
