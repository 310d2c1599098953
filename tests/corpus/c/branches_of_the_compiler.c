/* Branches that no condition of the source is for, and builtins that choose their result for zero. */
#include <complex.h>
#include <strings.h>

/* The rest of an array is filled with zeros in a loop, which here goes once. */
int rest_of_an_array(int x)
{
    int b[2] = {x}; //@ covered
    return b[1] + x; //@ covered
}

int rest_of_structures(int x)
{
    struct { int a, b; } all[3] = {{x, 1}, {2, x}}; //@ covered
    return all[2].a;
}

/* Where a product is no number, a function of the compiler's library computes it. */
int product(signed char a, signed char b)
{
    double complex z = a + b * I;
    z = z * z;
    return creal(z) > 3; //@ covered
}

int first_set(int x)
{
    int n = ffs(x); //@ holds builtin
    if (x == 0 && n != 0)
        return 1; //@ unreachable
    if (n == 17)
        return 2; //@ covered
    return __builtin_ffsl(0) + __builtin_ffs(x); //@ holds builtin
}

int trailing_zeros(unsigned x)
{
    return __builtin_ctz(x); //@ fails builtin
}

double constant_times_i(double a)
{
    double complex z = a + 4 * I;
    if (z == 3 + 4 * I)
        return 1; //@ covered
    z *= 2 * I;
    return creal(z);
}
