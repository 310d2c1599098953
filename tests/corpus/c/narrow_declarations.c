/* Sizes may be declared narrower than they are. */
extern void *calloc(unsigned, unsigned);
extern int __VERIFIER_nondet_int(void);
extern void report(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5)
        return 0; //@ covered
    int *a = calloc(n, 4);
    if (a && a[n - 1] != 0)
        report(1); //@ unreachable
    if (!a)
        report(2); //@ covered
    return 0; //@ covered
}

//@ ask: reach --function main --timeout 30
