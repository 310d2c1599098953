/* What external functions return, write and end: tests answer for them, and decide nothing by what they cannot set. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int many(int n)
{
    if (MB_CUR_MAX > 1)
        return n > 3; //@ covered?
    return 0; //@ covered
}

void error(int status, int number, const char *format, ...);

int quit(int status)
{
    error(status, 0, "quit");
    return status; //@ covered
}

__attribute__((const)) long double cut(long double x, int n)
{
    if (n > 3)
        return x; //@ covered
    return 1; //@ covered
}

struct stream { const char *(*reader)(size_t *size); };
void *maker(int n);

int fill(struct stream *s)
{
    size_t size;
    const char *text = s->reader(&size); //@ fails null
    if (text == NULL || size == 0)
        return -1; //@ covered
    return *text; //@ covered?
}

int make(void *(*f)(int))
{
    if (!f)
        f = maker; //@ covered
    char *made = f(3);
    if (made && made[1] == 5)
        return 1; //@ covered?
    return 0; //@ covered
}

/* Of what is given to `begin` only the first 64 bytes are filled. */
struct text { char room[100]; unsigned long used, size; };
void begin(struct text *t);

int put(void)
{
    struct text t;
    begin(&t);
    if (t.used < t.size)
        return 1; //@ covered?
    return 0; //@ covered?
}

void scribble(unsigned char *to);

int halves(int (*callback)(int))
{
    unsigned char half[2][64];
    if (callback && callback(3) == 4)
        return 2; //@ covered?
    scribble(half[0]);
    scribble(half[1]);
    if (memcmp(half[0], half[1], 16) == 0)
        return 1; //@ covered?
    return 0; //@ covered?
}
