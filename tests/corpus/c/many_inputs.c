/* A program may read very many inputs. */
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    static char cells[20000];
    for (unsigned i = 0; i < sizeof cells; i++)
        cells[i] = __VERIFIER_nondet_char(); //@ covered
    if (cells[19990] == 'x')
        reach_error(); //@ covered
    return 1; //@ covered
}

//@ ask: test --entry main --timeout 30
