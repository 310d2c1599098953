/* Nobody finds the input of 64 rounds in a few seconds, nor excludes it for all rounds: what is said names its bound. */
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    for (int i = 0; i < 64; i++)
        x = (x * x) ^ (x >> 3) ^ 0x9e3779b9u;
    if (x == 4169551681u)
        abort(); //@ may run
    return 0; //@ covered
}
//@ ask: test --entry main --timeout 5

//@ run: test --entry main --timeout 5
//@ exit: 0
//@ never says: defensive code that no input executes
