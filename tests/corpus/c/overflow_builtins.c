/* What the compiler's builtins say of results that do not fit: exactly, with and without a sign. */
int product(unsigned a, unsigned b)
{
    unsigned r;
    if (a != 1)
        return 0;
    if (__builtin_mul_overflow(a, b, &r))
        return 1; //@ unreachable
    if (__builtin_mul_overflow(b, a, &r))
        return 2; //@ unreachable
    if (r != b)
        return 3; //@ unreachable
    return 4;     //@ covered
}

int product_with_sign(int a, int b)
{
    int r;
    if (a != -1)
        return 0;
    if (__builtin_mul_overflow(a, b, &r)) {
        if (b != -2147483647 - 1)
            return 1; //@ unreachable
        return 2;     //@ covered
    }
    if (r != -b)
        return 3; //@ unreachable
    return 4;     //@ covered
}

int doubled(unsigned a)
{
    unsigned r;
    if (__builtin_mul_overflow(a, 2u, &r))
        return a < 0x80000000u ? 1 : 2; //@ covered
    if (a >= 0x80000000u)
        return 3; //@ unreachable
    return 4;     //@ covered
}

int sum(unsigned a, unsigned b)
{
    unsigned r;
    if (__builtin_add_overflow(a, b, &r)) {
        if (a <= 0xffffffffu - b)
            return 1; //@ unreachable
        return 2;     //@ covered
    }
    if (r < a)
        return 3; //@ unreachable
    return 4;     //@ covered
}

int difference(unsigned a, unsigned b)
{
    unsigned r;
    if (__builtin_sub_overflow(a, b, &r)) {
        if (a >= b)
            return 1; //@ unreachable
        return 2;     //@ covered
    }
    if (r > a)
        return 3; //@ unreachable
    return 4;     //@ covered
}

int difference_with_sign(int a, int b)
{
    int r;
    if (__builtin_sub_overflow(a, b, &r)) {
        if ((a < 0) == (b < 0))
            return 1; //@ unreachable
        return 2;     //@ covered
    }
    if ((r < 0) != (a < b))
        return 3; //@ unreachable
    return 4;     //@ covered
}

/* A number with a sign and one without: the result is exact or does not fit. */
int mixed(int a, unsigned b)
{
    int r;
    if (__builtin_mul_overflow(a, b, &r)) {
        if (a == 0 || b == 0)
            return 1; //@ unreachable
        return 2;     //@ covered
    }
    if (a == -1 && b == 0x80000000u) {
        if (r != -2147483647 - 1)
            return 3; //@ unreachable
        return 4;     //@ covered
    }
    return 5; //@ covered
}
