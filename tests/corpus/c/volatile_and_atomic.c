/* Others may change what is volatile or atomic; tests find there what they set. */
#include <stdatomic.h>

_Atomic int flag;
volatile int state;

int waits(void)
{
    flag = 0;
    if (flag)
        return 1; //@ may run
    if (atomic_fetch_add(&flag, 1) == 5)
        return 2; //@ may run
    int expected = 9;
    if (atomic_compare_exchange_strong(&flag, &expected, 1))
        return 3; //@ may run
    state = 4;
    if (state != 4)
        return 4; //@ may run
    return 0; //@ covered
}

int reads(void)
{
    if (flag == 7)
        return 1; //@ covered
    if (state == 8)
        return 2; //@ covered
    return 0; //@ covered
}

int spins(volatile int *ready, int most)
{
    int rounds = 0;
    if (!ready)
        return -2; //@ covered
    while (!*ready)
        if (++rounds > most)
            return -1; //@ covered
    return *ready == 42; //@ covered
}

//@ run: test --function waits
//@ exit: 0
//@ says: unless others change volatile or atomic memory
//@ never says: infeasible[
