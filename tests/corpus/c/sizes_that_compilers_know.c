/* How much a compiler knows depends on how it optimises: each answer that it may give is possible. */
#include <assert.h>

static inline int is_known(int n)
{
    return __builtin_constant_p(n);
}

int constant(void)
{
    if (is_known(4))
        return 1; //@ may run
    return 2;     //@ covered
}

static inline int has_room_for(const char *text, unsigned long bytes)
{
    return __builtin_object_size(text, 0) >= bytes;
}

int most(void)
{
    char text[10];
    text[0] = 1;
    if (has_room_for(text, 10))
        return 1; //@ covered
    return 2;     //@ unreachable
}

int most_of_more(void)
{
    char text[10];
    text[0] = 1;
    if (has_room_for(text, 11))
        return 1; //@ covered
    return 2;     //@ may run
}

void least(char *text)
{
    assert(__builtin_object_size(text, 2) != 0); //@ fails assert
}

unsigned long rest_at_least(char *text)
{
    unsigned long known = __builtin_dynamic_object_size(text, 2);
    if (known > 0)
        return 1; //@ may run
    return 0;     //@ covered
}
