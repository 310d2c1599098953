/* What lies at an address that the source gives as a number, only the machine knows: nothing is said of code that goes there. */
#include <assert.h>
#include <stdint.h>

struct device {
    volatile int status;
    volatile int data;
};

#define DEVICE ((struct device *)0x50000000)

static struct device *const port = (struct device *)0x50000100;

int global = 7;

int written(int n)
{
    global = 3;
    *(volatile int *)0x40000000 = 1;
    if (global != 3)
        return 1; //@ may run
    return n; //@ may run
}

unsigned through_a_variable(void)
{
    volatile unsigned *registers = (volatile unsigned *)0x40020000u;
    registers[0] = 5; //@ may fail null
    while (!(registers[1] & 1)) {
        global++; //@ may run
    }
    return registers[2]; //@ may run
}

int through_a_member(int n)
{
    DEVICE->data = n;
    if (DEVICE->status == 4)
        return 1; //@ may run
    return 2; //@ may run
}

int through_a_constant(int n)
{
    port->data = n; //@ may fail null
    if (port->status == 4)
        return 1; //@ may run
    return 2; //@ may run
}

int called(int n)
{
    global = n;
    ((void (*)(void))0x8000)(); //@ may fail null
    if (global != n)
        return 1; //@ may run
    return 2; //@ may run
}

/* Numbers that say that there is no address are none of these. */
int marks(char *p)
{
    if (p == (char *)-1)
        return 1;
    if (p == (char *)1)
        return 2;
    if (p)
        *p = 1; //@ holds? null
    return 3; //@ covered
}
