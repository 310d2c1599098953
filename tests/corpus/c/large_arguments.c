/* A structure that is passed by value is a copy, of more than 64 bytes in a loop where the memory is seen as bytes. */
#include <assert.h>
#include <string.h>
typedef struct { unsigned long data[62]; unsigned short len; } numbers;
typedef struct { unsigned long *ptr; unsigned long len; } span;
typedef struct { unsigned long m; int p; } pair;
typedef struct { long e, pad[8]; } large;
typedef struct { unsigned char text[100]; int length; } line;

static void extend(numbers *v, span s)
{
    if (v->len + s.len <= 62)
        memcpy(v->data + v->len, s.ptr, s.len * 8);
}

static void copy(numbers *x)
{
    span xs;
    xs.ptr = x->data;
    xs.len = x->len;
    numbers n;
    n.len = 0;
    extend(&n, xs);
}

pair digits(large n, pair am)
{
    numbers b;
    b.len = 0;
    if (n.e >= 0) {
        pair a;
        copy(&b);
        a.m = b.len ? b.data[b.len - 1] : 5;
        a.p = 3;
        return a; //@ covered
    }
    assert(am.p == 42); //@ fails assert
    return am; //@ covered
}

int first_word(line l, int from)
{
    if (l.length < 0 || l.length > 100 || from < 0)
        return -1;
    while (from < l.length && l.text[from] != ' ')
        from++;
    if (from == 3)
        return 1; //@ covered
    l.text[0] = 7;
    return l.text[0] == 7 ? 2 : 3; //@ covered
}

int call(void)
{
    line l = {{0}, 0};
    l.text[0] = 'a';
    first_word(l, 5);
    if (l.text[0] != 'a')
        return 1; //@ unreachable
    return 0;
}
