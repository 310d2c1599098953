// Weak names: without a definition their address is null, and a weak definition may be replaced by another file's.
#include <assert.h>

extern int plugin(int) __attribute__((weak));
extern int setting __attribute__((weak));
__attribute__((weak)) int hook(int n) { return n; }
__attribute__((weak)) int level = 3;
int ordinary(int);

int calls_a_plugin(int n)
{
    if (plugin)
        return plugin(n);
    return -1; //@ covered?
}

int reads_a_setting(void)
{
    if (&setting)
        return setting;
    return -1; //@ covered?
}

int is_replaced(int n)
{
    if (hook(n) != n)
        return 1; //@ may run
    return 2; //@ covered?
}

int has_another_value(void)
{
    if (level != 3)
        return 1; //@ may run
    return 2; //@ covered?
}

void asserts_the_definition(int n)
{
    assert(hook(n) == n); //@ may fail assert
}

int strong(int n) { return n > 0 ? 1 : 2; }
extern int other_name(int) __attribute__((weak, alias("strong")));
static int counter = 3;
extern int other_counter __attribute__((weak, alias("counter")));

int calls_a_weak_alias(int n)
{
    if (other_name(n) > 2)
        return 1; //@ may run
    return 2; //@ covered?
}

int reads_a_weak_alias(void)
{
    if (other_counter != counter)
        return 1; //@ may run
    return 2; //@ covered?
}

int is_no_alias(int n)
{
    if (strong(n) > 2)
        return 1; //@ unreachable?
    return 2; //@ covered?
}

__attribute__((weak)) const int limit = 10;

int below_a_weak_constant(int i)
{
    int squares[10] = {0, 1, 4, 9};
    if (i < 0 || i >= limit)
        return 0;
    return squares[i]; //@ may fail bounds
}

#pragma weak pragma_plugin
int pragma_plugin(void);

int by_pragma(void)
{
    if (!pragma_plugin)
        return 1; //@ covered?
    return pragma_plugin();
}

int has_an_address(void)
{
    if (ordinary)
        return 2; //@ covered?
    return -1; //@ unreachable?
}

//@ ask: verify --solver-seconds 1
//@ ask: verify --sound --solver-seconds 1
//@ ask: reach --timeout 3
