/* A program all runs of which are made needs no summary of its recursion. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
extern void report(void);
static int steps;

int hanoi(int n)
{
    steps++;
    return n == 1 ? 1 : 2 * hanoi(n - 1) + 1;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 9)
        return 0; //@ covered
    if (hanoi(n) < n || steps != n)
        __VERIFIER_error(); //@ unreachable
    if (steps == 9)
        report(); //@ covered
    return 0; //@ covered
}

//@ ask: reach --function main --timeout 60
