/* Sanitizers watch a test that reaches little of its source. */
static const char *const names[] = {"one", "two"};

const char *name_of(unsigned n)
{
    return n < 2 ? names[n] : "many"; //@ holds bounds
}

int twice(int n)
{
    return n * 2; //@ fails overflow
}

//@ run: test --strict --function twice --timeout 60
//@ exit: 0
//@ says: and a sanitizer sees it
