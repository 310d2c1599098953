// Whether equal string literals, or one and the end of another, are one object is unspecified, whatever this compiler does.
#include <assert.h>
#include <stdint.h>
#include <string.h>

int two_locals(void)
{
    const char *p = "abc", *q = "abc";
    if (p == q)
        return 1; //@ may run
    return 2; //@ may run
}

int ends(void)
{
    const char *p = "abcde", *q = "cde";
    if (p + 2 == q)
        return 1; //@ may run
    return 2; //@ may run
}

static const char *left_name(void) { return "name"; }
static const char *right_name(void) { return "name"; }

int two_functions(void)
{
    if (left_name() != right_name())
        return 1; //@ may run
    return 2; //@ may run
}

static const char *const table[] = {"zero", "one", "zero"};

int in_a_table(void)
{
    if (table[0] != table[2])
        return 1; //@ may run
    return 2; //@ may run
}

static int is_default(const char *name) { return name == "default"; }

int as_argument(void)
{
    if (!is_default("default"))
        return 1; //@ may run
    return 2; //@ may run
}

void asserted(void)
{
    const char *p = "abc", *q = "abc";
    assert(p == q); //@ may fail assert
}

void asserted_apart(void)
{
    const char *p = "abc", *q = "abc";
    assert(p != q); //@ may fail assert
}

int as_numbers(void)
{
    const char *p = "abc", *q = "abc";
    if ((uintptr_t)p != (uintptr_t)q)
        return 1; //@ may run
    return 2; //@ may run
}

// One literal is one object, and different texts are different ones.
int one_literal(void)
{
    const char *p = "abc";
    if (p == p)
        return 1; //@ covered
    return 2; //@ unreachable?
}

int copied(void)
{
    const char *p = "only here", *q = p;
    if (p != q)
        return 1; //@ unreachable?
    return 2; //@ covered
}

int texts(void)
{
    const char *p = "abc", *q = "abc";
    if (strcmp(p, q) != 0)
        return 1; //@ unreachable?
    return 2; //@ covered
}

//@ ask: verify --sound --solver-seconds 1
//@ ask: reach --timeout 1
//@ ask: failures --timeout 3
