/* That a variable is odd in every call excludes what no bound on rounds does. */
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned odd = 1;

static void step(unsigned x) { odd += 2 * x; }

static int check(unsigned n)
{
    if (n == 0)
        return -1; //@ unreachable
    return 1; //@ covered
}

int main(void)
{
    while (__VERIFIER_nondet_bool()) {
        step(__VERIFIER_nondet_uint());
        if (check(odd) < 0)
            reach_error(); //@ unreachable
    }
    return 0; //@ covered
}

//@ ask: test --entry main --timeout 30

//@ run: test --entry main --timeout 30 --format json
//@ exit: 0
//@ says: "settled_by": "invariants"
