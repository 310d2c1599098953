/* A failure that does not end the compiled program is found in all its functions; memory that nobody wrote decides none. */
extern int __VERIFIER_nondet_int(void);
int last;
static int cells[4];

static void step(int a) { last = a + 1; } //@ fails overflow
static void other(int a) { last = a - 1; } //@ may fail overflow
static void read(int i) { last = cells[i & 7]; } //@ fails bounds
static void stray(int i) { last = cells[i & 7]; } //@ may fail bounds

int main(void)
{
    int unset;
    int given = __VERIFIER_nondet_int();
    if (given > 100)
        unset = 2; //@ covered
    step(given);
    other(unset);
    if (given == 7)
        read(given); //@ covered
    else
        stray(unset); //@ covered
    return 0;
}

//@ ask: test --entry main --timeout 30

//@ run: test --entry main --timeout 30
//@ exit: 0
//@ says: the runs that come there need values that a test cannot set, such as uninitialised memory
