/* What an external function answers decides a failure, or only stands beside it. */
#include <stdlib.h>

int sensor(void);

int whatever_it_says(int a)
{
    int s = sensor();
    if (a > 3)
        abort(); //@ fails abort
    return s;
}

int if_it_says_so(int a)
{
    int s = sensor();
    if (a > 7 && s == 5)
        abort(); //@ fails? abort
    return s;
}

//@ run: failures --timeout 60
//@ exit: 0
//@ says:   fails when a > 3
//@ says:   can fail when a > 7
//@ never says: can fail when a > 3
