/* Arms of `?:` without code are findings, but for those of macros. */
#define CLAMPED(x) ((x) > 100 ? 100 : 1)
#define NONE 0

int three(void) { return 3; }

int chooses(int x)
{
    int a = 1, b = 2;
    int *p = x > 5 && x < 3 ? &a : &b;
    int q = three() ? a : b;
    if (x < 50)
        q += CLAMPED(x);
    return *p + q + NONE;
}

//@ run: test --function chooses
//@ exit: 0
//@ says: choices_without_code.c:10:23
//@ says: ^^^^^ never false
