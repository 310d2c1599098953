/* What a helper's loop computes is known behind each of its calls, however many iterations it makes. */
static int doubled(int n)
{
    int r = 0;
    for (int i = 0; i < n; i++)
        r += 2;
    return r;
}

int called_once(int n)
{
    if (n < 1 || n > 100000)
        return 0;
    int r = doubled(n);
    if (r == 7)
        return 1; //@ unreachable?
    if (r == 6000)
        return 2; //@ covered
    return 3; //@ covered
}

int called_twice(int n, int m)
{
    if (n < 0 || m < 0 || n > 10000 || m > 10000)
        return 0;
    int a = doubled(n);
    int b = doubled(m);
    if (a + b == 7)
        return 1; //@ unreachable?
    if (a == 400 && b == 600)
        return 2; //@ covered
    return 3; //@ covered
}

static void add(int n, int *out)
{
    int sum = *out;
    for (int i = 0; i < n; i++)
        sum += 3;
    *out = sum;
}

int through_pointer(int n)
{
    if (n < 0 || n > 10000)
        return 0;
    int x = 1;
    add(n, &x);
    if (x == 2)
        return 1; //@ unreachable?
    if (x == 1501)
        return 2; //@ covered
    return 3; //@ covered
}

static int sum_of_two(int n)
{
    return doubled(n) + doubled(n + 1);
}

int nested(int n)
{
    if (n < 0 || n > 10000)
        return 0;
    int r = sum_of_two(n);
    if (r == 7)
        return 1; //@ unreachable?
    if (r == 2002)
        return 2; //@ covered
    return 3; //@ covered
}

static int multiplied(int k, int n)
{
    int r = 0;
    while (n-- > 0)
        r += k;
    return r;
}

int bound_from_argument(int n)
{
    if (n < 0 || n > 10000)
        return 0;
    int r = multiplied(4, n);
    if (r == 6)
        return 1; //@ unreachable?
    if (r == 4000)
        return 2; //@ covered
    return 3; //@ covered
}

int thousand_rounds(int x)
{
    if (doubled(1000) == 2000) {
        if (x > 5)
            return 1; //@ covered
        return 2; //@ covered
    }
    return 3; //@ unreachable?
}

//@ run: reach --timeout 60 --target loops_in_helpers.c:16 --target loops_in_helpers.c:18 --target loops_in_helpers.c:29 --target loops_in_helpers.c:31
//@ exit: 0
//@ says: unreachable  loops_in_helpers.c:16:
//@ says: reached      loops_in_helpers.c:18:
//@ says: unreachable  loops_in_helpers.c:29:
//@ says: reached      loops_in_helpers.c:31:

//@ run: reach --timeout 60 --target loops_in_helpers.c:50 --target loops_in_helpers.c:52 --target loops_in_helpers.c:67 --target loops_in_helpers.c:69
//@ exit: 0
//@ says: unreachable  loops_in_helpers.c:50:
//@ says: reached      loops_in_helpers.c:52:
//@ says: unreachable  loops_in_helpers.c:67:
//@ says: reached      loops_in_helpers.c:69:

//@ run: reach --timeout 60 --target loops_in_helpers.c:87 --target loops_in_helpers.c:89 --target loops_in_helpers.c:97 --target loops_in_helpers.c:100
//@ exit: 0
//@ says: unreachable  loops_in_helpers.c:87:
//@ says: reached      loops_in_helpers.c:89:
//@ says: reached      loops_in_helpers.c:97:
//@ says: unreachable  loops_in_helpers.c:100:
