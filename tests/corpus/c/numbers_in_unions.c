/* A number that is written where a pointer is read is an address at which only the machine knows what there is. */
#include <stdint.h>
#include <string.h>

union word {
    int *p;
    uintptr_t n;
    uint32_t halves[2];
    double d;
    char bytes[8];
};

int member(int n)
{
    union word u;
    u.n = 0x40000000;
    if (*u.p == 3) //@ may fail
        return 1; //@ may run
    return n; //@ may run
}

int halves(void)
{
    union word u;
    u.halves[0] = 0x40000000;
    u.halves[1] = 0;
    if (*u.p == 3) //@ may fail
        return 1; //@ may run
    return 2; //@ may run
}

int copied(void)
{
    uintptr_t a = 0x40000000;
    int *p;
    memcpy(&p, &a, sizeof p);
    if (*p == 3) //@ may fail
        return 1; //@ may run
    return 2; //@ may run
}

int copied_twice(void)
{
    char buffer[sizeof(int *)];
    uintptr_t a = 0x40000000;
    int *p;
    memcpy(buffer, &a, sizeof a);
    memcpy(&p, buffer, sizeof p);
    if (*p == 3) //@ may fail
        return 1; //@ may run
    return 2; //@ may run
}

int filled(void)
{
    char *p;
    memset(&p, 0x41, sizeof p);
    if (*p == 3) //@ may fail
        return 1; //@ may run
    return 2; //@ may run
}

static void set(uintptr_t *at, uintptr_t number)
{
    *at = number;
}

int through_an_address(void)
{
    union word u;
    set(&u.n, 0x40000000);
    if (*u.p == 3) //@ may fail
        return 1; //@ may run
    return 2; //@ may run
}

static union word table[2] = {{.n = 0x40000000}, {.n = 0x50000000}};

int initial(int i)
{
    if (*table[i & 1].p == 3) //@ may fail
        return 1; //@ may run
    return 2; //@ may run
}

int written(int n)
{
    static int own;
    union word u;
    own = 3;
    u.n = 0x40000000;
    *u.p = 4; //@ may fail
    if (own != 3)
        return 1; //@ may run
    return n; //@ may run
}

union views {
    struct {
        int tag;
        uintptr_t n;
    } number;
    struct {
        int tag;
        char *p;
    } pointer;
};

static void set_view(union views *v)
{
    v->number.n = 0x40000000;
}

static int view_of(union views *v)
{
    return *v->pointer.p; //@ may fail
}

int two_views(void)
{
    union views v;
    set_view(&v);
    if (view_of(&v) == 3)
        return 1; //@ may run
    return 2; //@ may run
}

/* A pointer behind a tag that tells it from numbers is none. */
struct tagged {
    int tag;
    union {
        long number;
        char *text;
    } u;
};

int told_by_tag(int k)
{
    struct tagged v;
    char c = (char)k;
    if (k > 5) {
        v.tag = 1;
        v.u.number = k + 100000L;
    } else {
        v.tag = 2;
        v.u.text = &c;
    }
    if (v.tag == 2) {
        if (k > 5)
            return 3; //@ unreachable?
        if (v.u.text[0] != c) //@ holds? null
            return 4; //@ unreachable?
        return 1; //@ covered
    }
    return v.u.number > 100000 ? 2 : 5; //@ covered
}

int null_member(int n)
{
    union word u;
    u.n = 16;
    if (n == 1)
        return *u.p; //@ fails null
    return 2; //@ covered
}

/* Lengths beside pointers are none either. */
struct text {
    const char *start;
    uint64_t length;
};

int beside(struct text *t)
{
    char own[2] = "a";
    t->length = 100000;
    t->start = own;
    if (t->start[0] != 'a')
        return 1; //@ unreachable?
    struct text copy = *t;
    if (copy.start[1] != 0)
        return 2; //@ unreachable?
    return copy.length == 100000; //@ covered
}
