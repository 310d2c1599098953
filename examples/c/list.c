/* A list on the heap. */
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

int sum_of_two(int a, int b)
{
    struct item *first = malloc(sizeof *first);
    struct item *second = malloc(sizeof *second);
    int sum;

    if (!first || !second) {
        free(first);
        free(second);
        return 0;
    }
    first->value = a % 100; //@ holds null
    first->next = second;
    second->value = b % 100;
    second->next = NULL;
    sum = first->value + first->next->value; //@ holds overflow
    free(first);
    if (sum > 198)
        sum = first->value; //@ unreachable
    if (sum == 42)
        sum = first->value; //@ fails use_after_free
    free(second);
    return sum; //@ covered
}
