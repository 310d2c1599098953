/* NaNs differ in bits that programs look at; a number too large for an integer becomes what the machine makes of it. */
#include <stdint.h>

int payload(double x)
{
    union { double number; uint64_t bits; } u = {.number = x};
    if (u.bits == 0x7ff8000000000001)
        return 1; //@ covered
    if (u.bits == 0xfff8000000000000)
        return 2; //@ covered
    if (u.bits == 0x7ff0000000000003)
        return 3; //@ covered
    return 0; //@ covered
}

int single(float x)
{
    union { float number; uint32_t bits; } u = {.number = x};
    if (u.bits == 0xffc00001)
        return 1; //@ covered
    if (u.bits == 0x7f800009)
        return 2; //@ covered
    return 0; //@ covered
}

int narrow(double x)
{
    int n = (int)x;
    if (n == -2147483647 - 1) {
        if (x > 3e9)
            return 1; //@ may run
        return 3; //@ covered
    }
    if (x < 7.5 && n == 7)
        return 2; //@ covered
    return 0; //@ covered
}

int wide(float x)
{
    uint64_t n = (uint64_t)x;
    if (x < 0) {
        if (n > 5)
            return 1; //@ may run
        return 4; //@ covered
    }
    if (n == 1ull << 63 && x != x)
        return 2; //@ may run
    if (n == 0xffffff0000000000)
        return 3; //@ covered
    return 0; //@ covered
}

int byte(float x)
{
    if (x > 256 && (uint8_t)x == 3)
        return 1; //@ may run
    return 0; //@ covered
}
