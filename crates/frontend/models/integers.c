/* Absolute values, quotients with remainders, first bits. */
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

int abs(int n)
{
    return n < 0 ? -n : n;
}

long labs(long n)
{
    return n < 0 ? -n : n;
}

long long llabs(long long n)
{
    return n < 0 ? -n : n;
}

__INTMAX_TYPE__ imaxabs(__INTMAX_TYPE__ n)
{
    return n < 0 ? -n : n;
}

div_t div(int a, int b)
{
    div_t result = {a / b, a % b};
    return result;
}

ldiv_t ldiv(long a, long b)
{
    ldiv_t result = {a / b, a % b};
    return result;
}

lldiv_t lldiv(long long a, long long b)
{
    lldiv_t result = {a / b, a % b};
    return result;
}

int ffs(int n)
{
    return n ? __builtin_ctz((unsigned)n) + 1 : 0;
}

int ffsl(long n)
{
    return n ? __builtin_ctzl((unsigned long)n) + 1 : 0;
}

int ffsll(long long n)
{
    return n ? __builtin_ctzll((unsigned long long)n) + 1 : 0;
}
