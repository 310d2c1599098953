/* A test cannot say where a machine puts an object, so none rests on whether it is where another one was. */
#include <stdlib.h>

int reused(void)
{
    char *first = malloc(8);
    free(first);
    char *second = malloc(8);
    int same = first == second;
    free(second);
    if (same)
        return 4; //@ may run
    return 5; //@ may run
}

int main(void)
{
    struct link { struct link *next; } *first = malloc(sizeof *first), *second;
    free(first);
    second = malloc(sizeof *second);
    if (first == second)
        free(second); //@ may run
    free(second); //@ may fail free
    return reused();
}

//@ run: test
//@ exit: 0
//@ says: values that a test cannot set
//@ never says: infeasible[

//@ run: test --entry main
//@ exit: 0
//@ says: values that a test cannot set
//@ never says: infeasible[
