/* What is verified guides a search: a verified function is worth no run, a failing one keeps its failures. */
#include <footpath.h>
struct account { int number, balance; };

int deposit(struct account *account, int amount)
{
    if (amount > 150)
        return -1; //@ covered
    if (amount < 0)
        return -2; //@ covered
    account->balance = account->balance + amount; //@ fails null, fails overflow
    return account->balance > 0; //@ covered
}

int sign(int n)
{
    int signs[2] = { 1, 1 };
    if (n > 0)
        return signs[n & 1]; //@ covered, holds bounds
    if (n < 0)
        return -1; //@ covered
    return 0; //@ covered
}

int reviewed(int n)
{
    footpath_assumed(n < 1000, small);
    int twice = n > 0 ? n : 0;
    footpath_verified(twice <= 1000, "small");
    return twice > 3 ? 1 : 2;
}
