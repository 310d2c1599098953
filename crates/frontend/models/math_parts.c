/* Floating-point numbers taken apart and put together, as their bits say it. */
typedef unsigned long long number;

int *__errno_location(void);
double frexp(double x, int *exponent);
double ldexp(double x, int n);
float ldexpf(float x, int n);
double modf(double x, double *whole);

enum { OUT_OF_RANGE = 34 };

union parts { double x; number bits; };

static const number exponent_bits = (number)2047 << 52;

double frexp(double x, int *exponent)
{
    union parts parts = {x};
    int e = (int)(parts.bits >> 52) & 2047;
    if (e == 2047 || x == 0) {
        *exponent = 0;
        return x;
    }
    if (e == 0) {
        /* Small numbers have no leading one; larger ones have. */
        parts.x = x * 18014398509481984.0;
        e = ((int)(parts.bits >> 52) & 2047) - 54;
    }
    *exponent = e - 1022;
    parts.bits = (parts.bits & ~exponent_bits) | (number)1022 << 52;
    return parts.x;
}

/* Three steps reach all exponents, and only the last one rounds. */
static double scaled(double x, int n)
{
    union parts parts;
    for (int i = 0; i < 2 && n > 1023; i++) {
        x *= 0x1p1023;
        n -= 1023;
    }
    for (int i = 0; i < 2 && n < -1022; i++) {
        x *= 0x1p-1022 * 0x1p53;
        n += 1022 - 53;
    }
    n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
    parts.bits = (number)(1023 + n) << 52;
    return x * parts.x;
}

double ldexp(double x, int n)
{
    double result = scaled(x, n);
    if (x - x == 0 && x != 0 && (result - result != 0 || result == 0))
        *__errno_location() = OUT_OF_RANGE;
    return result;
}

double scalbn(double x, int n)
{
    return ldexp(x, n);
}

double scalbln(double x, long n)
{
    return ldexp(x, n > 99999 ? 99999 : n < -99999 ? -99999 : (int)n);
}

double modf(double x, double *whole)
{
    union parts parts = {x}, rest = {0};
    *whole = __builtin_trunc(x);
    if (x - x == 0 || x != x)
        rest.x = x - *whole;
    rest.bits = (rest.bits << 1 >> 1) | (parts.bits >> 63 << 63);
    return rest.x;
}

/* A `float` is a `double` whose parts fit into one, and is rounded once. */
float frexpf(float x, int *exponent)
{
    return (float)frexp(x, exponent);
}

float ldexpf(float x, int n)
{
    float result = (float)scaled(x, n);
    if (x - x == 0 && x != 0 && (result - result != 0 || result == 0))
        *__errno_location() = OUT_OF_RANGE;
    return result;
}

float scalbnf(float x, int n)
{
    return ldexpf(x, n);
}

float modff(float x, float *whole)
{
    double all;
    float rest = (float)modf(x, &all);
    *whole = (float)all;
    return rest;
}
