/* Variable arguments: registers, the stack, lists that are passed on and copied, structures among them. */
#include <stdarg.h>

struct pair { int a; long b; };
struct large { long parts[5]; };

static long sum(int count, ...)
{
    va_list list;
    long total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total = total * 3 + va_arg(list, int);
    va_end(list);
    return total;
}

static long read_some(const char *kinds, va_list list)
{
    long total = 0;
    for (; *kinds; kinds++) {
        if (*kinds == 'i') total = total * 5 + va_arg(list, int);
        if (*kinds == 'l') total = total * 5 + va_arg(list, long);
        if (*kinds == 'd') total = total * 5 + (long)va_arg(list, double);
        if (*kinds == 's') total = total * 5 + va_arg(list, const char *)[1];
        if (*kinds == 'L') total = total * 5 + va_arg(list, struct large).parts[4];
        if (*kinds == 'p') { struct pair p = va_arg(list, struct pair); total = total * 5 + p.a + p.b; }
    }
    return total;
}

static long mixed(double scale, const char *kinds, ...)
{
    va_list list, again;
    va_start(list, kinds);
    va_copy(again, list);
    long first = read_some(kinds, list), second = read_some(kinds, again);
    va_end(again);
    va_end(list);
    return first == second ? first + (long)scale : -1;
}

static int unused(int a, ...) { return a; }

int main(void)
{
    struct large large = {{1, 2, 3, 4, 50}};
    struct pair pair = {7, 8};
    long (*through)(int, ...) = sum;
    long total = sum(0) + sum(3, 1, -2, 3) + sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    total += mixed(2.5, "ildsiiild", 1, 2L, 3.75, "xyz", 5, 6, 7, 8L, 9.5);
    total += mixed(1.0, "ddddddddddi", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11);
    total += mixed(1.0, "Lip", large, 4, pair);
    total += through(2, 40, 2) + unused(3, 4, 5.0);
    return (int)((unsigned long)total % 251);
}
