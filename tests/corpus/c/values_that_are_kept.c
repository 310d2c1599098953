/* What is computed first keeps its value, whatever the rest of the expression changes. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct list { int v[3]; long w; };
static struct list table[10];
static long at;
static int cells[20], *head = cells;

static int *pop(void)
{
    head += 2;
    return head;
}

int difference_of_addresses(void)
{
    head = cells;
    long d = (long)((uintptr_t)head - (uintptr_t)pop());
    assert(d == 0); //@ fails assert
    return d < 0 ? 1 : 0; //@ unreachable
}

static int move(void)
{
    at = 1000;
    return 1;
}

long index_that_changes(int x)
{
    if (x < 0 || x > 9)
        return -1;
    at = x;
    table[x].v[1] = x;
    long r = table[at].v[move()];
    if (r == 7)
        return 1; //@ covered
    return 2; //@ covered
}

static void *same(void *p, size_t n) { return p; }
static void *(*const ways[2])(void *, size_t) = {realloc, same};
static int note(int a, void *p) { return p ? a : a; }

static int last_round(char *p)
{
    int last = 0;
    for (int i = 0; i < 2; i++)
        last = note(i, ways[i](p, 8));
    return last;
}

int function_of_a_table(void)
{
    char *p = malloc(8);
    if (!p)
        return -1;
    if (last_round(p) == 1)
        return 10; //@ may run
    return 20;
}

int copies_of_nothing(int x)
{
    char to[8], from[8];
    memset(from, 3, 8);
    int r = 0;
    for (int i = 0; i < 3; i++) {
        size_t n = i == 2 || x == 0 ? 0 : 4;
        r = r * 10 + (i + (memcpy(to, from, n), 1));
    }
    return r == 123 ? 1 : 2; //@ covered
}

/* A member of a structure among constants is aligned as its type is, not as the structure. */
int members_of_constants(int x)
{
    table[3].v[1] = x; //@ holds alignment
    return table[3].v[1]; //@ holds alignment
}

int wide_integers(double d)
{
    if (!(d >= 0.0 && d < 1e38))
        return 0;
    __int128 v = (__int128)d;
    if (v > (__int128)1 << 70)
        return 1; //@ covered
    return 2; //@ covered
}

/* Without a size the old object is freed, and nothing is returned for it. */
void no_size(unsigned n)
{
    int *p = malloc(8);
    if (!p)
        return;
    int *q = realloc(p, n & 3);
    if (!q)
        free(p); //@ may fail free
    else
        free(q);
}
