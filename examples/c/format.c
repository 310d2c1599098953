// Numbers written as text and read back.
#include <stdio.h>
#include <string.h>

// A label such as "A-07"; its length, or -1 where there is no room.
int label(char *to, unsigned long room, char kind, unsigned number)
{
    if (!to || kind < 'A' || kind > 'Z')
        return -2; //@ covered
    int length = snprintf(to, room, "%c-%02u", kind, number);
    if (length < 4)
        return -3; //@ unreachable?
    if ((unsigned long)length >= room)
        return -1; //@ covered
    return length; //@ covered
}

int minutes(void)
{
    static const char text[] = "07:45";
    int hours, rest;
    if (sscanf(text, "%d:%d", &hours, &rest) != 2)
        return -1; //@ unreachable?
    if (hours == 7 && rest == 45)
        return 60 * hours + rest; //@ covered
    return 0;
}
