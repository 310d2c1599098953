// Records that other parts of a program fill in and hand out: structures through pointers, as results, and functions.

struct reading { int level; short unit; char name[6]; double weight; };
struct span { long first, last; };
typedef int (*handler)(int);

int next_reading(struct reading *to);
struct span whole_span(int of);
handler handler_of(int kind);

int judge(void)
{
    struct reading r = {0};
    if (next_reading(&r) != 1)
        return -1; //@ covered
    if (r.level == 7 && r.unit == -2)
        return r.name[0] == 'a' && r.name[5] == 'z'; //@ covered
    if (r.weight > 2.5)
        return 2; //@ covered
    return 0; //@ covered
}

long length(int of)
{
    struct span s = whole_span(of);
    if (s.last < s.first)
        return 0; //@ covered
    if (s.first > 100 && s.last < 50)
        return -1; //@ unreachable
    if (s.last == 12345678901 && s.first == 4)
        return 1; //@ covered
    return 2; //@ covered
}

int dispatch(int kind)
{
    handler h = handler_of(kind);
    if (!h)
        return -1; //@ covered
    if (h(kind) == 42)
        return 1; //@ covered
    return 0; //@ covered
}
