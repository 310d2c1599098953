/* An external function stands for its calls. Variables have their initial values where the program starts; what nobody wrote
   may have any. */
extern void __VERIFIER_error(void) __attribute__((__noreturn__));
extern int __VERIFIER_nondet_int(void);
extern void report(int);
static int state = 3;
int table[4] = { 2, 4, 6 };

void check(int holds)
{
    if (!holds) {
        __VERIFIER_error();
    }
}

int main(void)
{
    int unset[2];
    while (__VERIFIER_nondet_int()) {
        if (state == 3)
            state = 5;
        else if (state == 4)
            __VERIFIER_error();
    }
    check(table[2] == 6 && table[3] == 0);
    if (unset[1] == 77)
        report(unset[1]);
    if (state == 5)
        report(state);
    return 0;
}

//@ run: reach --function main --timeout 30 --target __VERIFIER_error
//@ exit: 0
//@ says: unreachable  errors_by_name.c:12:9 from main, for any number of loop iterations
//@ says: unreachable  errors_by_name.c:23:13 from main, for any number of loop iterations

//@ run: reach --function main --timeout 5 --target report
//@ exit: 0
//@ says: reached      errors_by_name.c:29:9 from main
//@ never says: unreachable
