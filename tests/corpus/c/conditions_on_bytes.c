/* Behind a pointer to `void` C has no elements: what a condition says of them goes through a pointer of another type. */
#include <assert.h>
#include <string.h>

int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } //@ fails overflow, fails null

void first_byte(void *p)
{
    if (!p)
        return;
    assert(*(unsigned char *)p != 7); //@ fails assert
}

void number(const void *p, int i)
{
    const short *numbers = p;
    if (!p || i != 1)
        return;
    assert(numbers[i] < 100); //@ fails assert, fails bounds
}

void any_byte(const void *p, unsigned i)
{
    const char *bytes = p;
    if (!p || i > 3)
        return;
    assert(bytes[i] != 'q'); //@ fails assert, fails bounds
}

void copied(const void *p)
{
    unsigned value;
    if (!p)
        return;
    memcpy(&value, p, sizeof value); //@ fails bounds
    assert(value != 0x01020304);     //@ fails assert
}

struct context {
    int count, divisor;
};

int converted(void *context)
{
    struct context *p = context;
    if (!p)
        return 0;
    return 10 / p->divisor; //@ fails division
}
