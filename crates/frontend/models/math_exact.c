/* Mathematics that has one right answer: signs, roundings to whole numbers, the greater and the less, square roots.
   The builtins become instructions that the analysis knows. */

int *__errno_location(void);

enum { DOMAIN_ERROR = 33, OUT_OF_RANGE = 34 };

double fabs(double x)
{
    return __builtin_fabs(x);
}

double floor(double x)
{
    return __builtin_floor(x);
}

double ceil(double x)
{
    return __builtin_ceil(x);
}

double trunc(double x)
{
    return __builtin_trunc(x);
}

double round(double x)
{
    return __builtin_round(x);
}

double rint(double x)
{
    return __builtin_rint(x);
}

double nearbyint(double x)
{
    return __builtin_nearbyint(x);
}

double copysign(double x, double y)
{
    return __builtin_signbit(x) == __builtin_signbit(y) ? x : -x;
}

double fmin(double x, double y)
{
    return x != x ? y : y != y || x < y ? x : y;
}

double fmax(double x, double y)
{
    return x != x ? y : y != y || x > y ? x : y;
}

double fdim(double x, double y)
{
    double result = x <= y ? 0 : x - y;
    if (result - result != 0 && x - x == 0 && y - y == 0)
        *__errno_location() = OUT_OF_RANGE;
    return result;
}

double fma(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}

double sqrt(double x)
{
    if (x < 0)
        *__errno_location() = DOMAIN_ERROR;
    return __builtin_sqrt(x);
}

long lround(double x)
{
    return (long)__builtin_round(x);
}

long long llround(double x)
{
    return (long long)__builtin_round(x);
}

long lrint(double x)
{
    return (long)__builtin_rint(x);
}

long long llrint(double x)
{
    return (long long)__builtin_rint(x);
}

float fabsf(float x)
{
    return __builtin_fabsf(x);
}

float floorf(float x)
{
    return __builtin_floorf(x);
}

float ceilf(float x)
{
    return __builtin_ceilf(x);
}

float truncf(float x)
{
    return __builtin_truncf(x);
}

float roundf(float x)
{
    return __builtin_roundf(x);
}

float rintf(float x)
{
    return __builtin_rintf(x);
}

float nearbyintf(float x)
{
    return __builtin_nearbyintf(x);
}

float copysignf(float x, float y)
{
    return __builtin_signbit(x) == __builtin_signbit(y) ? x : -x;
}

float fminf(float x, float y)
{
    return x != x ? y : y != y || x < y ? x : y;
}

float fmaxf(float x, float y)
{
    return x != x ? y : y != y || x > y ? x : y;
}

float fdimf(float x, float y)
{
    float result = x <= y ? 0 : x - y;
    if (result - result != 0 && x - x == 0 && y - y == 0)
        *__errno_location() = OUT_OF_RANGE;
    return result;
}

float fmaf(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}

float sqrtf(float x)
{
    if (x < 0)
        *__errno_location() = DOMAIN_ERROR;
    return __builtin_sqrtf(x);
}

long lroundf(float x)
{
    return (long)__builtin_roundf(x);
}

long long llroundf(float x)
{
    return (long long)__builtin_roundf(x);
}

long lrintf(float x)
{
    return (long)__builtin_rintf(x);
}

long long llrintf(float x)
{
    return (long long)__builtin_rintf(x);
}
