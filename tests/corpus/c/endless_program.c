/* A program that never ends is tested up to what is new. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int state = 0;
    unsigned rounds = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        rounds++;
        if (state == 0 && input == 4711)
            state = 1; //@ covered
        else if (state == 1 && input < -100)
            state = 2; //@ covered
        else if (state == 2 && rounds > 6)
            reach_error(); //@ covered
        else if (input == 0 && state != 2)
            state = 0; //@ covered
    }
}

//@ ask: test --entry main --timeout 30
