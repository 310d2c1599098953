/* Texts that are numbers. */
#include <stdio.h>
#include <stdlib.h>

int answer(const char *s)
{
    if (s && atoi(s) == 4711)
        return 1; //@ covered? 9
    return 0;
}

int hexadecimal(const char *s)
{
    char *end;
    if (s && strtol(s, &end, 16) == 0xbeef && *end == ';')
        return 1; //@ covered? 9
    return 0;
}

int fraction(const char *s)
{
    int over, under;
    if (s && sscanf(s, "%d/%d", &over, &under) == 2 && over == 3 && under == 16)
        return 1; //@ covered? 9
    return 0;
}
