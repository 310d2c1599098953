/* A loop with a stride fails for the numbers of a residue class. */
#include <assert.h>

void third(unsigned n) {
    while (n > 2)
        n -= 3;
    assert(n != 1); //@ fails assert
}

//@ ask: test --timeout 10

//@ run: failures --segments branch --timeout 300
//@ exit: 0
//@ says: fails when n % 3 == 1
//@ says: fails, compiled and run too
//@ never says: sufficient
//@ never says: bounded
