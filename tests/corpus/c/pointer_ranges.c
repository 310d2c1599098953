/* Pointers that lead into one object, an address before null, and what lies between the members of a structure. */
struct small { void *next; unsigned char tag; };
struct large { void *next; unsigned char tag; unsigned short count; };
union any { struct small s; struct large l; };

int kind(struct small *s)
{
    if (((union any *)s)->l.count == 77)
        return 2; //@ covered
    return 0; //@ covered
}

int digits(const char *p, const char *end)
{
    int n = 0;
    while (p < end) {
        if (*p >= '0' && *p <= '9')
            n++; //@ covered
        p++; //@ covered
    }
    if (n == 1)
        return 9; //@ covered
    return 0; //@ covered
}

struct range { const int *first, *last; };

int sum(struct range *r)
{
    int n = 0;
    for (const int *p = r->first; p != r->last; p++)
        n += *p; //@ covered
    if (n == 12345)
        return 8; //@ covered
    return 0; //@ covered
}

int overlap(char *to, const char *from)
{
    if (from < to && to < from + 3)
        return 7; //@ covered
    return 0; //@ covered
}

struct bounds { char *end; };

int behind(struct bounds *b, char *p)
{
    if (p >= b->end - 1)
        return 1; //@ covered
    return 6; //@ covered
}

/* Some code counts an address down to just before its object, which machines can do. */
int last(char sought)
{
    char text[4] = "a/b";
    const char *p = text + 3;
    while (--p >= text)
        if (*p == sought)
            return 1; //@ covered
    return 0; //@ covered
}

/* The last address of all is below nothing. */
int marked(const char *p)
{
    if (p)
        return 0;
    if (p < (char *)-1)
        return 1; //@ covered
    return 2; //@ unreachable
}
