/* A local that is declared before the first case exists in all of them, though no execution comes to its declaration. */
#include <assert.h>
static void put(int *to, int v) { *to = v; }

int pick(int x)
{
    int *p;
    switch (x) {
        int k;
    case 0:
        p = &k;
        k = 5;
        return *p; //@ covered
    case 1:
        put(&k, 7);
        return k; //@ covered
    }
    return 0;
}

int rounds(int x)
{
    int r = 0;
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int k;
        case 0:
            p = &k;
            k = x & 7;
            r += *p; //@ holds use_after_free
            break;
        case 1:
            p = &k;
            k = 1;
            r += *p; //@ holds use_after_free
            break;
        }
    }
    assert(r != 6); //@ fails assert
    return r; //@ covered
}

/* One that is passed ends with its block. */
int left(int x)
{
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int k = x;
        if (i == 1)
            return *p; //@ fails use_after_free
        p = &k;
    }
    return 0;
}
