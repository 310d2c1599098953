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
