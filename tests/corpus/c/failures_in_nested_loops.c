/* Short runs through nested loops fail, also where there is no time for all of them. */
#include <assert.h>

void grid(int n, int m, int k)
{
    int c = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i == k)
                assert(j != 3); //@ fails assert
            c++;
        }
}

//@ ask: failures --timeout 8
//@ ask: test --timeout 8

//@ run: failures --segments none --timeout 8
//@ exit: 0
//@ says: compiled and run too: n = 1, m = 4, k = 0: assert
//@ never says: no failure was found
