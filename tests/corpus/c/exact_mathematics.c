/* Functions of mathematics that have one right answer. */
#include <math.h>
#include <stdlib.h>

int left_over(double a)
{
    if (fmod(a, 2.5) == 0.75)
        return 1; //@ covered
    return 0;
}

int left_over_large(double a)
{
    if (a > 100 && a < 1000 && fmod(a, 64) == 5)
        return 1; //@ covered?
    return 0;
}

int nearest(double a)
{
    if (remainder(a, 3.0) == -1.0)
        return 1; //@ covered
    return 0;
}

int greater(double a)
{
    if (fmax(a, 1.0) < 1.0)
        return 2; //@ unreachable
    if (fmax(a, 1.0) == 6.0)
        return 1; //@ covered
    return 0;
}

int less(float a)
{
    if (fminf(a, 1.0f) > 1.0f)
        return 2; //@ unreachable
    if (fminf(a, 1.0f) == -6.0f)
        return 1; //@ covered
    return 0;
}

int fused(double a)
{
    if (fma(a, 2.0, 1.0) == 9.0)
        return 1; //@ covered?
    return 0;
}

int once_rounded(void)
{
    double x = 1 + 0x1p-30;
    if (fma(x, x, -1 - 0x1p-29) == 0x1p-60)
        return 1; //@ covered
    return 0;     //@ unreachable
}

int neighbour(double a)
{
    if (nextafter(a, 2.0) == 1.0)
        return 1; //@ covered
    return 0;
}

int taken_apart(double a)
{
    int e;
    double f = frexp(a, &e);
    if (e == 4 && f == 0.75)
        return 1; //@ covered
    return 0;
}

int whole_and_rest(double a)
{
    double whole;
    double rest = modf(a, &whole);
    if (whole == 3.0 && rest == 0.25)
        return 1; //@ covered
    return 0;
}

int put_together(double a)
{
    if (ldexp(a, 3) == 20.0)
        return 1; //@ covered
    return 0;
}

int rounded(double a)
{
    if (lround(a) == 7)
        return 1; //@ covered
    return 0;
}
