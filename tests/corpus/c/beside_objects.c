/* Addresses before an object, far behind one, and near null, as machines have them. */
#include <stddef.h>

ptrdiff_t before(char *a)
{
    char *p = a - 1;
    if (p - a == -1)
        return 3; //@ covered
    return p - a; //@ unreachable
}

size_t last(const char *a, size_t n, char c)
{
    const char *p = a + n;
    while (p-- > a)
        if (*p == c) //@ fails bounds, fails null
            break; //@ covered
    if (p - a + 1 == 0)
        return (size_t)-1; //@ covered
    return (size_t)(p - a); //@ covered
}

static const char *behind(const char *buffer, size_t size)
{
    if (!size)
        return buffer;
    return buffer[0] ? buffer + 1 : NULL;
}

int walk(const char *text, size_t size)
{
    const char *end = text, *limit = text + size;
    if (text)
        return 7; //@ covered
    while (end < limit) {
        end = behind(text, limit - text);
        if (!end)
            return -1;
    }
    return 0;
}

int far(char *from, size_t size)
{
    char *to = from + size;
    if (size >= 1 && to < from)
        return 1; //@ covered
    return 0; //@ covered
}
