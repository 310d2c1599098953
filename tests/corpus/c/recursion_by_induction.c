// Recursion with a changing argument, with two calls, and between two functions.
static unsigned add(unsigned n, unsigned m)
{
    if (n == 0)
        return m;
    return add(n - 1, m + 1);
}

int sum(unsigned n, unsigned m)
{
    if (add(n, m) != n + m)
        return 1; //@ unreachable?
    return 0; //@ covered
}

static int is_odd(unsigned n);

static int is_even(unsigned n)
{
    if (n == 0)
        return 1;
    return is_odd(n - 1);
}

static int is_odd(unsigned n)
{
    if (n == 0)
        return 0;
    return is_even(n - 1);
}

int parity(unsigned n)
{
    if (is_even(n) != (n % 2 == 0))
        return 1; //@ unreachable?
    return 0; //@ covered
}

static int f91(int x)
{
    if (x > 100)
        return x - 10;
    return f91(f91(x + 11));
}

int mccarthy(int x)
{
    if (x > 1000 || x < -1000)
        return 0;
    int r = f91(x);
    if (r < 91)
        return 1; //@ unreachable?
    return 2; //@ covered?
}

static int fib(int n)
{
    if (n < 1)
        return 0;
    if (n == 1)
        return 1;
    return fib(n - 1) + fib(n - 2);
}

int fibonacci(int n)
{
    if (n > 8)
        return 0;
    if (fib(n) == 21)
        return 1; //@ covered? 8
    return 2; //@ covered
}

//@ run: reach --target recursion_by_induction.c:12 --target recursion_by_induction.c:35 --target recursion_by_induction.c:52 --target recursion_by_induction.c:70
//@ exit: 0
//@ says: unreachable  recursion_by_induction.c:12:
//@ says: unreachable  recursion_by_induction.c:35:
//@ says: unreachable  recursion_by_induction.c:52:
//@ says: reached      recursion_by_induction.c:70:
