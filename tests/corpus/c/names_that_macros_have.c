/* A source may give a macro the name of a member or a function of its own: tests mean what the source declared. It may read errno, or a
   variable of a thread, before it sets it, and change to a locale. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <string.h>

struct level {
    int state, next;
};

struct parser {
    struct level *levels;
    int depth;
};

static int twice(int n)
{
    return n > 1000 ? -1 : 2 * n; //@ covered
}

static _Thread_local int mode;

#define state parser->levels[parser->depth].state
#define twice(n) (twice)(n)

int step(struct parser *parser, const char *text)
{
    locale_t before = uselocale(0), plain = newlocale(LC_NUMERIC_MASK, "C", 0);
    int result = 0;
    if (!plain)
        return -1;
    uselocale(plain);
    for (; *text; text++)
        if (parser->depth == 0 && state == 3 && !strncmp(text, "key", 3))
            result = 1; //@ covered
    uselocale(before);
    freelocale(plain);
    return result;
}

int reads_errno(const char *text, int length)
{
    int sum = 0;
    for (int i = 0; i < length && i < 8; i++)
        sum += text[i];
    if (errno == ENOENT && sum == 300)
        return 1; //@ covered
    return twice(mode) == 10 ? 2 : 3; //@ covered
}

void set_mode(int given)
{
    mode = given;
}
