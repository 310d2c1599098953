/* Functions are called with variable arguments of each class: numbers, texts, structures, and more than registers hold. */
#include <stdarg.h>
#include <stdio.h>
struct pair { long a, b; };

int format(char *out, const char *how, ...)
{
    va_list list;
    int n = 0;
    va_start(list, how);
    for (; *how; how++)
        if (*how == 'd') {
            if (va_arg(list, int) == -5)
                n += 1; //@ covered
        } else if (*how == 'f') {
            if (va_arg(list, double) > 1.5)
                n += 2; //@ covered
        } else if (*how == 's') {
            const char *text = va_arg(list, const char *);
            if (text && *text == 'x')
                n += 3; //@ covered
        } else if (*how == 'p') {
            struct pair pair = va_arg(list, struct pair);
            if (pair.a == pair.b + 3)
                n += 4; //@ covered
        }
    va_end(list);
    return n; //@ covered
}

int last(int n, ...)
{
    va_list list;
    int found = 0;
    va_start(list, n);
    while (n-- > 0)
        found = va_arg(list, int); //@ covered
    va_end(list);
    if (found == 1234)
        return 1; //@ covered
    return 0; //@ covered
}

int note(int level, const char *how, ...)
{
    va_list list;
    if (level > 3)
        return -1; //@ covered
    va_start(list, how);
    int n = vfprintf(stderr, how, list);
    va_end(list);
    if (n < 0)
        return -2; //@ covered
    return 0; //@ covered
}
