// A function that cannot be lowered may change all that it can reach: nothing behind its calls is dead, nothing is verified.
#include <assert.h>
#include <setjmp.h>

static jmp_buf env;
static int seen;
static int count;

static void parse(int *out)
{
    if (!setjmp(env)) {
        *out = 1;
        seen = 1;
        count++;
    }
}

int through_a_parameter(void)
{
    int got = 0;
    parse(&got);
    if (got)
        return 1; //@ covered?
    return 0;
}

int through_a_static(void)
{
    int got = 0;
    seen = 0;
    parse(&got);
    if (seen)
        return 1; //@ covered?
    return 0;
}

void is_checked(void)
{
    int got = 0;
    parse(&got);
    assert(got == 0); //@ fails? assert
}

int not_through_a_local(int n)
{
    int got = 0, own = n;
    parse(&got);
    if (own != n)
        return 1; //@ unreachable?
    return 0;
}

//@ ask: verify --solver-seconds 1
//@ ask: verify --sound --solver-seconds 1
//@ ask: reach --timeout 3
