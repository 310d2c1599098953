/* A bank account: a deposit of more than 150 is asked about at the bank first. */
#include <stdio.h>

struct account {
    int number;
    int balance;
};

int deposit(struct account *account, int amount)
{
    if (account == NULL || amount <= 0)
        return -1; //@ covered
    if (amount > 150) {
        if (amount > 1000)
            return -2; //@ covered
        if (amount < 100)
            return -3; //@ unreachable
    }
    account->balance = account->balance + amount; //@ fails overflow
    return account->balance; //@ covered
}
