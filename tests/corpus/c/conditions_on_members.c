/* Conditions are in words of C: members, limits of types, null. */
#include <stddef.h>
struct account { int number; int balance; };

int deposit(struct account *account, int amount)
{
    if (account == NULL || amount <= 0)
        return -1;
    account->balance = account->balance + amount; //@ fails overflow
    return account->balance;
}

int ratio(int a, unsigned b)
{
    return b > 10 ? 1 : a / (int)b; //@ fails division
}

int first(const int *p) { return *p; } //@ fails null

//@ ask: failures --timeout 20

//@ run: failures --timeout 20
//@ exit: 0
//@ says: fails when account != NULL && amount > 0 && account->balance > INT_MAX - amount
//@ says: fails when b == 0
//@ says: fails when p == NULL
//@ never says: sufficient
//@ never says: necessary
