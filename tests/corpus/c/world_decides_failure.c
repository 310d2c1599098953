/* Whether a function fails may depend on what it is not given: then it can fail, not fails, under the condition. */
#include <stdlib.h>
int get(void);
int *getp(void);

int number(void)
{
    int x = get();
    if (x > 5)
        abort(); //@ fails abort
    return x;
}

int pointer(void)
{
    int *p = getp();
    if (p && *p == 7)
        abort(); //@ fails abort
    return 0;
}

int memory(int n)
{
    char *p = malloc(4);
    if (!p && n == 3)
        abort(); //@ fails abort
    free(p);
    return 1; //@ covered
}

int input(int n)
{
    if (n == 3)
        abort(); //@ fails abort
    return 1; //@ covered
}

//@ run: failures --function number
//@ exit: 0
//@ says: can always fail

//@ run: failures --function pointer
//@ exit: 0
//@ says: can always fail

//@ run: failures --function memory
//@ exit: 0
//@ says: can fail when n == 3

//@ run: failures --function input
//@ exit: 0
//@ says: fails when n == 3
