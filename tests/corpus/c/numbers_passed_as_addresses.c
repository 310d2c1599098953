/* An address that the source gives as a number, in a callee. A test of the caller runs into what only the machine knows. */
struct device {
    volatile int status;
    volatile int data;
};

static int status(struct device *at)
{
    return at->status;
}

int passed_on(void)
{
    if (status((struct device *)0x60000000) == 1)
        return 1; //@ may run
    return 2; //@ may run
}

//@ ask: verify --sound --solver-seconds 1
//@ ask: reach --timeout 2
//@ ask: failures --timeout 3
