/* What kind of number a floating-point number is: what the macros of math.h call. */

int __isnan(double x)
{
    return x != x;
}

int isnan(double x)
{
    return x != x;
}

int __isinf(double x)
{
    return (x == __builtin_inf()) - (x == -__builtin_inf());
}

int isinf(double x)
{
    return (x == __builtin_inf()) - (x == -__builtin_inf());
}

int __finite(double x)
{
    return x - x == 0;
}

int finite(double x)
{
    return x - x == 0;
}

int __fpclassify(double x)
{
    if (x != x)
        return 0;
    if (x - x != 0)
        return 1;
    if (x == 0)
        return 2;
    return x > -__DBL_MIN__ && x < __DBL_MIN__ ? 3 : 4;
}

int __signbit(double x)
{
    return __builtin_signbit(x);
}

int __isnanf(float x)
{
    return x != x;
}

int isnanf(float x)
{
    return x != x;
}

int __isinff(float x)
{
    return (x == __builtin_inff()) - (x == -__builtin_inff());
}

int isinff(float x)
{
    return (x == __builtin_inff()) - (x == -__builtin_inff());
}

int __finitef(float x)
{
    return x - x == 0;
}

int finitef(float x)
{
    return x - x == 0;
}

int __fpclassifyf(float x)
{
    if (x != x)
        return 0;
    if (x - x != 0)
        return 1;
    if (x == 0)
        return 2;
    return x > -__FLT_MIN__ && x < __FLT_MIN__ ? 3 : 4;
}

int __signbitf(float x)
{
    return __builtin_signbitf(x);
}
