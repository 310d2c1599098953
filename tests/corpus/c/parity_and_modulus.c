/* What fails for every second or third number fails for a remainder, however the program counts. */
#include <assert.h>

void odd_by_loop(unsigned n)
{
    while (n > 1)
        n -= 2;
    assert(n == 0); //@ fails assert
}

void one_by_threes(unsigned n)
{
    while (n >= 3)
        n -= 3;
    assert(n != 1); //@ fails assert
}

int odd(unsigned n);

int even(unsigned n)
{
    return n == 0 ? 1 : odd(n - 1);
}

int odd(unsigned n)
{
    return n == 0 ? 0 : even(n - 1);
}

void odd_by_calls(unsigned n)
{
    assert(even(n)); //@ fails assert
}

int modulo_three(unsigned n)
{
    if (n == 0)
        return 0;
    int before = modulo_three(n - 1);
    return before == 2 ? 0 : before + 1;
}

void one_of_three_by_calls(unsigned n)
{
    assert(modulo_three(n) != 1); //@ fails assert
}

/* The values that are tried for the result are not all: nothing may be said for all numbers. */
unsigned count(unsigned n)
{
    return n == 0 ? 0 : count(n - 1) + 1;
}

void counted(unsigned n)
{
    assert(count(n) != 9); //@ may fail assert
}

//@ ask: failures --timeout 60
//@ run: failures --function odd_by_loop --timeout 300
//@ exit: 0
//@ says: fails when n % 2
//@ says: exact

//@ run: failures --function one_by_threes --timeout 300
//@ exit: 0
//@ says: fails when n % 3 == 1
//@ says: exact

//@ run: failures --function odd_by_calls --timeout 300
//@ exit: 0
//@ says: fails when n % 2
//@ says: exact

//@ run: failures --function one_of_three_by_calls --timeout 300
//@ exit: 0
//@ says: fails when n % 3 == 1
//@ says: exact
