/* A list of variable arguments is an input. */
#include <stdarg.h>

int first_is_77(va_list ap)
{
    int first = va_arg(ap, int);
    if (first == 77)
        return 1; //@ covered
    return 0; //@ covered
}
