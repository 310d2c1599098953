/* Where a string literal lies, and whether it is the end of another one, only the linker knows: either is possible. */
#include <stdint.h>

int an_end(void)
{
    if ((uintptr_t)"abc" + 1 == (uintptr_t)"bc")
        return 1; //@ may run
    return 2;     //@ may run
}

int parity(void)
{
    if (((uintptr_t)"g" & 1) == 0)
        return 1; //@ may run
    return 2;     //@ may run
}

//@ ask: verify --sound --solver-seconds 1
//@ ask: reach --timeout 2
//@ ask: failures --timeout 3
