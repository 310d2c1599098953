/* An access demands an address that its type's alignment divides. Where the object is aligned enough, the offset decides. */
#include <stdlib.h>
#include <string.h>

int any_offset(int n)
{
    int a[8] = {0};
    char *p = (char *)a;
    if (n < 0 || n > 28)
        return 0;
    return *(int *)(p + n); //@ fails alignment, holds bounds
}

int multiples(int n)
{
    int a[8] = {0};
    char *p = (char *)a;
    if (n < 0 || n > 28)
        return 0;
    if ((n & 3) != 0)
        return 1;
    return *(int *)(p + n); //@ holds alignment
}

int strides(int n)
{
    int a[8] = {0};
    char *p = (char *)a;
    if (n < 0 || n > 7)
        return 0;
    return *(int *)(p + 4 * n); //@ holds alignment
}

int sum_of_threes(void)
{
    int a[3] = {1, 2, 3}, sum = 0;
    for (char *p = (char *)a; p + 4 <= (char *)(a + 3); p += 3)
        sum += *(int *)p; //@ fails alignment
    return sum;
}

void wider(void)
{
    int a[8];
    *(long *)(a + 1) = 1; //@ fails alignment
    *(long *)(a + 2) = 1; //@ holds alignment
}

int halves(int n)
{
    short a[8] = {0};
    if (n < 0 || n > 6)
        return 0;
    return *(int *)(a + n); //@ fails alignment
}

int variable[4];
int constant_address(void) { return *(int *)((char *)variable + 2); } //@ fails alignment
int *address(void) { return (int *)((char *)variable + 2); }
int from_a_result(void) { return *address(); } //@ fails alignment

char bytes[64];
double of_bytes(unsigned n)
{
    if (n >= 56)
        return 0;
    return *(double *)(bytes + n); //@ fails alignment
}

int on_the_heap(unsigned n)
{
    unsigned char *b = calloc(32, 1);
    if (!b || n > 3)
        return 0;
    int first = *(int *)(b + 8); //@ holds alignment
    int second = *(int *)(b + 8 * n); //@ holds alignment
    int third = *(int *)(b + n); //@ fails alignment
    free(b);
    return first + second + third;
}

struct message {
    int length;
    char text[12];
};
int in_a_member(void)
{
    struct message m = {0};
    int first = *(int *)m.text; //@ holds alignment
    return first + *(int *)(m.text + 1); //@ fails alignment
}

int chosen(int which)
{
    int a[4] = {0};
    char *p = (char *)a;
    int *q = which ? (int *)(p + 8) : (int *)(p + 6);
    return *q; //@ fails alignment
}

int of_alignas(void)
{
    _Alignas(8) char b[16] = {0};
    int ok = *(long *)(b + 8) != 0; //@ holds alignment
    return ok + (*(long *)(b + 4) != 0); //@ fails alignment
}

union both {
    char c[8];
    long n;
};
long of_a_union(union both u) { return *(long *)u.c; } //@ holds alignment

/* Where the object need not be aligned, it depends on where it lies. */
int of_text(const char *p) { return *(const int *)p; } //@ may fail alignment
long of_numbers(const int *p) { return *(const long *)p; } //@ may fail alignment
long of_numbers_in_between(int *p) { return *(long *)((char *)p + 2); } //@ fails alignment
int of_a_short_array(void)
{
    char b[8] = {0};
    return *(int *)(b + 1); //@ may fail alignment
}

struct header {
    unsigned short kind;
    unsigned length;
};
unsigned parse(const unsigned char *packet)
{
    const struct header *h = (const struct header *)packet;
    if (h->kind == 7) //@ may fail alignment
        return h->length; //@ may fail alignment
    return 0;
}

/* A packed structure demands nothing, but the address of its member is one of any member. */
struct __attribute__((packed)) record {
    char tag;
    int value;
};
int of_packed(struct record *r) { return r->value; } //@ holds alignment
int of_its_member(struct record *r)
{
    int *p = &r->value;
    return *p; //@ may fail alignment
}

/* Parameters and what lies in memory are as aligned as their types demand, and bytes are copied from anywhere. */
struct node {
    struct node *next;
    double value;
    char *name;
};
double of_a_list(struct node *n)
{
    if (!n || !n->next)
        return 0;
    return n->next->value; //@ holds alignment
}
int of_a_parameter(int *p, int i)
{
    if (!p || i < 0)
        return 0;
    return p[i]; //@ holds alignment
}
double of_a_context(void *context)
{
    struct node *n = context;
    return n ? n->value : 0; //@ holds alignment
}
int copied(const char *p)
{
    int n = 0;
    if (p)
        memcpy(&n, p + 1, sizeof n); //@ holds alignment
    return n;
}
