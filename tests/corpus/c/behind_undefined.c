/* C11, 3.4.3: behind what is undefined a program may do anything, so code that is only reached there is not covered. */
int beyond(int n)
{
    int next = n + 1; //@ fails overflow
    if (next < n)
        return 1; //@ may run
    return 0; //@ covered
}

int before(int n)
{
    int found = 0;
    if (n > 2147483646)
        found = 1; //@ covered
    return n + 1 + found; //@ fails overflow
}

static int digits[3] = {1, 2, 3};

int stray(int i)
{
    if (i == 7) {
        i = digits[i] + i; //@ fails bounds
        return i; //@ may run
    }
    return 0; //@ covered
}

//@ run: test --timeout 10
//@ exit: 0
//@ says: the tests that come there have come to undefined behaviour before
//@ says: covered only by tests that are skipped, as something is undefined in them later
