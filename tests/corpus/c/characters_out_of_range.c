/* The tables behind `isdigit` and its like have entries for -128 to 255. Asking for another one is an access out of bounds. */
#include <ctype.h>

int digit(int x)
{
    if (isdigit(x)) //@ fails bounds
        return x - '0'; //@ covered, holds overflow
    return x - 'W'; //@ covered, holds overflow
}

int of_a_byte(const char *text)
{
    return text && isspace((unsigned char)text[0]) ? 1 : 0; //@ covered
}

int of_a_signed_character(signed char c)
{
    return isalpha(c) ? 1 : 0; //@ holds bounds
}

int as_a_function(int x)
{
    return (isupper)(x) ? 1 : 0; //@ fails bounds
}

int guarded(int x)
{
    if (x < 0 || x > 255)
        return 0;
    return ispunct(x) ? 1 : (isxdigit)(x) ? 2 : 3; //@ holds bounds
}

int converted(int x)
{
    return tolower(x) - x; //@ covered
}
