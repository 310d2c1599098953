/* A label of the source is a place that can be asked about. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = 0;
    while (__VERIFIER_nondet_int())
        i += 2;
    if (i == 7) {
    ODD:
        return 3;
    }
    if (i == 8)
        goto out;
    return 0;
out:
    return 1;
}

//@ run: reach --target ODD --target out
//@ exit: 0
//@ says: unreachable  labels.c:11:9 from main, for any number of loop iterations
//@ says: reached      labels.c:17:5 from main
