/* A comparison of string literals that the compiler computes: whether equal ones are one object is unspecified. */
#include <assert.h>
#include <stdint.h>
#include <wchar.h>

#define IS(a, b) ((a) == (b))

int equal(void)
{
    if ("abc" == "abc")
        return 1; //@ may run
    return 2;     //@ may run
}

int unequal(int n)
{
    while (n > 3 && "a" != "a")
        return 1; //@ may run
    return 2;     //@ covered
}

int in_a_variable(void)
{
    int is_apart = "one" != "one";
    if (is_apart)
        return 1; //@ may run
    return 2;     //@ may run
}

int of_wide_characters(void)
{
    if (L"ab" == L"ab")
        return 1; //@ may run
    return 2;     //@ may run
}

int by_a_macro(int n)
{
    if (IS("k", "k"))
        return n / 2; //@ may run
    return n / 3;     //@ may run
}

void asserted(void)
{
    assert("q" == "q"); //@ may fail assert
}

static const char *const names[] = {"left", "right", "left"};

int in_a_table(int i)
{
    if (i < 0 || i > 2)
        return 0;
    if (names[i][0] == 'x')
        return 1; //@ unreachable
    return 2;     //@ covered
}

int characters(int i)
{
    return "hello"[i & 7]; //@ fails bounds
}

void written(void)
{
    char *text = "abc";
    text[0] = 'x'; //@ fails constant
}

int once(void)
{
    const char *p = "only", *q = p;
    if (p != q)
        return 1; //@ unreachable
    return 2;     //@ covered
}
