// Loops that halve, double, divide and multiply.
unsigned halved(unsigned x)
{
    unsigned k = 0;
    while (x > 0) {
        x = x / 2;
        k++;
    }
    if (k > 32)
        return 1; //@ unreachable?
    if (k == 20)
        return 2; //@ covered? 20
    return 3; //@ covered
}

unsigned digits(unsigned n)
{
    unsigned d = 1;
    while (n > 9) {
        n /= 10;
        d++;
    }
    if (d > 10)
        return 1; //@ unreachable?
    return d; //@ covered
}

unsigned doubled(unsigned n)
{
    unsigned x = 1, k = 0;
    while (k < n && k < 31) {
        x = x * 2;
        k++;
    }
    if (x != 1u << k)
        return 1; //@ unreachable?
    return 2; //@ covered
}

unsigned one_less(unsigned n)
{
    unsigned x = 0, p = 1;
    for (unsigned i = 0; i < n; i++) {
        x = 2 * x + 1;
        p = 2 * p;
    }
    if (x + 1 != p)
        return 1; //@ unreachable?
    return 2; //@ covered
}

unsigned cubes(unsigned n)
{
    unsigned x = 0, y = 1, z = 6, k = 0;
    while (k < n) {
        x += y;
        y += z;
        z += 6;
        k++;
    }
    if (z != 6 * k + 6 || y != 3 * k * k + 3 * k + 1 || x != k * k * k)
        return 1; //@ unreachable?
    return 2; //@ covered
}

unsigned turning(unsigned n)
{
    unsigned x = 0;
    for (unsigned i = 0; i < n; i++)
        x = (x + 3) % 7;
    if (x > 6)
        return 1; //@ unreachable?
    if (x == 1)
        return 2; //@ covered? 5
    return 3; //@ covered
}

unsigned rest(unsigned a, unsigned b)
{
    if (b == 0)
        return 0;
    unsigned r = a, q = 0;
    while (r >= b) {
        r -= b;
        q++;
    }
    if (r != a % b)
        return 1; //@ unreachable?
    if (q * b + r != a)
        return 2; //@ unreachable?
    return 3; //@ covered
}

//@ run: reach --target updates_that_are_no_sums.c:10 --target updates_that_are_no_sums.c:12 --target updates_that_are_no_sums.c:24
//@ exit: 0
//@ says: unreachable  updates_that_are_no_sums.c:10:
//@ says: reached      updates_that_are_no_sums.c:12:
//@ says: unreachable  updates_that_are_no_sums.c:24:

//@ run: reach --target updates_that_are_no_sums.c:36 --target updates_that_are_no_sums.c:48 --target updates_that_are_no_sums.c:62
//@ exit: 0
//@ says: unreachable  updates_that_are_no_sums.c:36:
//@ says: unreachable  updates_that_are_no_sums.c:48:
//@ says: unreachable  updates_that_are_no_sums.c:62:

//@ run: reach --target updates_that_are_no_sums.c:72 --target updates_that_are_no_sums.c:74 --target updates_that_are_no_sums.c:90
//@ exit: 0
//@ says: unreachable  updates_that_are_no_sums.c:72:
//@ says: reached      updates_that_are_no_sums.c:74:
//@ says: unreachable  updates_that_are_no_sums.c:90:
