/* A number from text, like strtol: spaces, a sign, a base, an overflow that is found. */

#include <limits.h>

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

/* How the parse ends: 0 no digits, 1 a number, 2 an overflow, 3 rubbish behind a number, 4 a bad base. */
int number(const char *text, int base, int *value)
{
    int sign = 1, any = 0;
    long long all = 0;

    if (!text || !value || base < 0 || base == 1 || base > 36)
        return 4;
    while (*text == ' ' || *text == '\t')
        text++;
    if (*text == '-') {
        sign = -1;
        text++;
    } else if (*text == '+') {
        text++;
    }
    if ((base == 0 || base == 16) && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    } else if (base == 0) {
        base = *text == '0' ? 8 : 10;
    }
    while (digit(*text) < base) {
        all = all * base + digit(*text++);
        any = 1;
        if (sign * all > INT_MAX || sign * all < INT_MIN)
            return 2;
    }
    if (!any)
        return 0;
    *value = (int)(sign * all);
    if (*text)
        return 3;
    if (*value == -2748 && base == 16)
        return 5;
    return 1;
}
