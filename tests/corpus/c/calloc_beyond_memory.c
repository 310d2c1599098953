/* 24 times so many is no size that an object can have, though the product of the words may be small. */
#include <stdlib.h>

int many(unsigned long n)
{
    if (n < 1000000000000000000UL)
        return 0; //@ covered
    char *objects = calloc(n, 24);
    if (!objects)
        return 1; //@ covered
    free(objects);
    return 2; //@ unreachable
}
