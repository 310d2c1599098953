/* One function for each thing that is done with floating-point numbers. */
double add(double a, double b) { return a + b; }
double sub(double a, double b) { return a - b; }
double mul(double a, double b) { return a * b; }
double quotient(double a, double b) { return a / b; }
double minus(double a, double b) { return -a; }
double absolute(double a, double b) { return __builtin_fabs(a); }
double down(double a, double b) { return __builtin_floor(a); }
double up(double a, double b) { return __builtin_ceil(a); }
double cut(double a, double b) { return __builtin_trunc(a); }
double root(double a, double b) { return __builtin_sqrt(a); }
double narrow(double a, double b) { return (float)a; }
double narrow_add(double a, double b) { return (float)a + (float)b; }
double narrow_quotient(double a, double b) { return (float)a / (float)b; }
double less(double a, double b) { return a < b; }
double at_least(double a, double b) { return a >= b; }
double same(double a, double b) { return a == b; }
double differ(double a, double b) { return a != b; }
double neither(double a, double b) { return !(a <= b); }
double from_int(double a, double b) { return (int)(a > 1e9 || !(a > -1e9) ? 7.0 : a); }
double from_unsigned(double a, double b) { return (double)(unsigned long)(b > 1e19 || !(b > 0) ? 1.8e19 : b); }
double to_float(double a, double b) { return (float)(long)(a > 9e18 || !(a > -9e18) ? 123456789.0 : a); }
double choice(double a, double b) { return a != a ? b : a; }
double with_sign(double a, double b) { return __builtin_copysign(a, b); }
double narrow_with_sign(double a, double b) { return __builtin_copysignf(a, b); }

#ifdef NATIVE
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const struct { const char *name; double (*call)(double, double); } all[] = {
    {"add", add}, {"sub", sub}, {"mul", mul}, {"quotient", quotient}, {"minus", minus}, {"absolute", absolute},
    {"down", down}, {"up", up}, {"cut", cut}, {"root", root}, {"narrow", narrow}, {"narrow_add", narrow_add},
    {"narrow_quotient", narrow_quotient}, {"less", less}, {"at_least", at_least}, {"same", same},
    {"differ", differ}, {"neither", neither}, {"from_int", from_int}, {"from_unsigned", from_unsigned},
    {"to_float", to_float}, {"choice", choice}, {"with_sign", with_sign}, {"narrow_with_sign", narrow_with_sign},
};

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uint64_t number(void)
{
    static const uint64_t some[] = {
        0, 1, 1ull << 63, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000001,
        0x7ff4000000000123, 0xfff0000020000000, 0x3ff0000000000000, 0xbff8000000000000, 0x7fefffffffffffff,
        0x47efffffe0000000, 0x36a0000000000000, 0x3690000000000000, 0x0010000000000000, 0x43f0000000000000,
        0x43e0000000000000,
    };
    double x = (double)(int64_t)(next() >> (next() & 31)) / 4;
    uint64_t bits = next();
    if (next() & 64)
        return some[(next() >> 9) % (sizeof some / sizeof *some)];
    if (next() & 64)
        memcpy(&bits, &x, sizeof x);
    return bits;
}

int main(void)
{
    for (int i = 0; i < 150; i++) {
        for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
            uint64_t x = number(), y = number(), z;
            double a, b, c;
            memcpy(&a, &x, sizeof a);
            memcpy(&b, &y, sizeof b);
            c = all[k].call(a, b);
            memcpy(&z, &c, sizeof c);
            printf("%s %llu %llu %llu\n", all[k].name, (unsigned long long)x, (unsigned long long)y, (unsigned long long)z);
        }
    }
    return 0;
}
#endif
