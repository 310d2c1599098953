/* `memcpy` is for ranges apart, `memmove` for all. */
#include <string.h>

struct box { int sides[3]; };

int shifted(int n)
{
    char text[8] = "abcdefg";
    if (n < 0 || n > 4)
        return 0;
    memcpy(text + n, text, 3); //@ fails overlap
    return text[n] == 'a';     //@ covered
}

int apart(int n)
{
    char text[8] = "abcdefg";
    if (n < 3 || n > 4)
        return 0;
    memcpy(text + n, text, 3); //@ holds overlap
    return text[n] == 'a';     //@ covered
}

int moved(int n)
{
    char text[8] = "abcdefg";
    if (n < 0 || n > 4)
        return 0;
    memmove(text + n, text, 3); //@ holds overlap
    return text[n];             //@ covered
}

int onto_itself(struct box *a, struct box *b)
{
    if (!a || !b)
        return 0;
    *a = *b; //@ holds overlap?
    return 1;
}

int of_some_length(unsigned long n)
{
    char text[8] = "abcdefg";
    if (n > 4)
        return 0;
    memcpy(text + 3, text, n); //@ fails overlap
    return 1;                  //@ covered
}
