/* What is left when one number is taken from another as often as it goes, and the number beside one. All have one right
   answer. */
typedef unsigned long long number;

int *__errno_location(void);
double fmod(double x, double y);
double remainder(double x, double y);

enum { DOMAIN_ERROR = 33, OUT_OF_RANGE = 34 };

union parts { double x; number bits; };
union parts_of_float { float x; unsigned bits; };

/* What is left of a positive number. A quotient that is a whole number for sure differs from the right one by one at
   most, and what is left then needs no rounding. Of greater numbers multiples are taken first. */
static double left(double x, double y)
{
    if (x < y)
        return x;
    double times = __builtin_trunc(x / y);
    if (times < 0x1p53) {
        double rest = __builtin_fma(-times, y, x);
        return rest < 0 ? rest + y : rest >= y ? rest - y : rest;
    }
    double most = y;
    while (most <= x / 2)
        most *= 2;
    for (; most >= y; most /= 2) {
        if (x >= most)
            x -= most;
    }
    return x;
}

double fmod(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x - x != 0 || y == 0) {
        *__errno_location() = DOMAIN_ERROR;
        return (x * y) / (x * y);
    }
    if (y - y != 0)
        return x;
    union parts rest = {left(__builtin_fabs(x), __builtin_fabs(y))}, from = {x};
    rest.bits |= from.bits >> 63 << 63;
    return rest.x;
}

/* The quotient is the nearest whole number, the even one of two. */
double remainder(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x - x != 0 || y == 0) {
        *__errno_location() = DOMAIN_ERROR;
        return (x * y) / (x * y);
    }
    if (y - y != 0)
        return x;
    union parts from = {x};
    double rest = __builtin_fabs(x), by = __builtin_fabs(y);
    if (by < 0x1p1023)
        rest = left(rest, by + by);
    if (by < 0x1p-1021) {
        if (rest + rest > by) {
            rest -= by;
            if (rest + rest >= by)
                rest -= by;
        }
    } else {
        double half = by / 2;
        if (rest > half) {
            rest -= by;
            if (rest >= half)
                rest -= by;
        }
    }
    union parts result = {rest};
    result.bits ^= from.bits >> 63 << 63;
    return result.x;
}

double drem(double x, double y)
{
    return remainder(x, y);
}

/* What is left of a `float` is one. */
float fmodf(float x, float y)
{
    return (float)fmod(x, y);
}

float remainderf(float x, float y)
{
    return (float)remainder(x, y);
}

float dremf(float x, float y)
{
    return remainderf(x, y);
}

double nextafter(double x, double y)
{
    union parts parts = {x}, to = {y};
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0) {
        parts.bits = (to.bits >> 63 << 63) | 1;
        return parts.x;
    }
    if ((x < y) == (x > 0))
        parts.bits++;
    else
        parts.bits--;
    int exponent = (int)(parts.bits >> 52) & 2047;
    if (exponent == 2047 || exponent == 0)
        *__errno_location() = OUT_OF_RANGE;
    return parts.x;
}

float nextafterf(float x, float y)
{
    union parts_of_float parts = {x}, to = {y};
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0) {
        parts.bits = (to.bits >> 31 << 31) | 1;
        return parts.x;
    }
    if ((x < y) == (x > 0))
        parts.bits++;
    else
        parts.bits--;
    int exponent = (int)(parts.bits >> 23) & 255;
    if (exponent == 255 || exponent == 0)
        *__errno_location() = OUT_OF_RANGE;
    return parts.x;
}
