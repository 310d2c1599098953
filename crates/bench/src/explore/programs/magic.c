/* Strings and numbers that guard what lies behind them. */

#include <string.h>

static unsigned mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    return x;
}

int magic(const char *name, unsigned key, long serial)
{
    char copy[16];

    if (!name)
        return 0;
    if (strncmp(name, "magic", 5) != 0)
        return 1;
    if (key == 0xdeadbeefu)
        return 2;
    if (mix(key) == 0x2545f491u)
        return 3;
    if (serial % 1000003 == 77 && serial > 5000000000L)
        return 4;
    strncpy(copy, name, 7);
    copy[7] = 0;
    if (strcmp(copy, "magic!!") == 0)
        return 5;
    if (copy[5] == (char)(copy[6] + 1) && (copy[5] ^ copy[6]) == 7)
        return 6;
    return 7;
}
