/* A macro with an arm that is there for the types of its arguments only, as musl's `isdigit` has one: no finding where it is
   negated or joined. */
int is_digit(int);
#define DIGIT(c) (0 ? is_digit(c) : (unsigned)(c) - '0' < 10)
#define PUSH(stack, n, x) ((n) < 4 ? ((stack)[(n)++] = (x), 1) : (is_digit(x), 0))

int counts(int a, int b)
{
    int n = 0;
    if (!DIGIT(a))
        n++;
    if (a > 0 && (DIGIT(a) || DIGIT(b)))
        n += 2;
    if (a > 5 && !DIGIT(5 + '0'))
        n += 4; //@ unreachable
    if (b == 7 || (a == 3 && b != 2) || !DIGIT(b))
        n += 8;
    return n;
}

int pushes(int n, int x)
{
    int stack[4] = {0};
    if (n < 0 || !PUSH(stack, n, x))
        return -1;
    return n;
}

//@ run: test
//@ exit: 0
//@ says: code of macros that no input executes here
//@ says: macro_arms.c:15:9
//@ never says: --> macro_arms.c:10
//@ never says: --> macro_arms.c:12
//@ never says: --> macro_arms.c:16
//@ never says: --> macro_arms.c:25
