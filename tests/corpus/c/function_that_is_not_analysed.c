/* A function that is not analysed costs itself only. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

__attribute__((noinline)) static int odd(int n)
{
    __asm__ goto("" : : : : out);
    return n;
out:
    return 1;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == 77)
        reach_error(); //@ covered
    return n > 5 ? odd(n) : 0;
}

//@ ask: test --entry main --timeout 10

//@ run: test --entry main --timeout 10
//@ exit: 0
//@ says: not tested
