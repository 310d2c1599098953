/* A number that is only compared, as a mark of its own, costs a function nothing: only the access through it is what nobody knows. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

struct entry {
    int key;
    int value;
};

#define TOMBSTONE ((struct entry *)0xdeadbeef)
#define SIZE 2

static struct entry *table[SIZE];

int looked_up(int key)
{
    for (unsigned i = 0; i < SIZE; i++) {
        struct entry *s = table[((unsigned)key + i) % SIZE];
        if (!s)
            return -1; //@ covered?
        if (s == TOMBSTONE)
            continue;
        if (s->key == key)
            return s->value; //@ covered?
    }
    return -2; //@ covered?
}

int erased(int key)
{
    struct entry **s = &table[(unsigned)key % SIZE];
    if (!*s || *s == TOMBSTONE)
        return 0; //@ covered?
    if ((*s)->key != key)
        return 1; //@ covered?
    *s = TOMBSTONE;
    if (!*s)
        return 2; //@ unreachable?
    if (*s != TOMBSTONE)
        return 3; //@ unreachable?
    return 4; //@ covered?
}

int marked(int key)
{
    struct entry one = {key, 1};
    struct entry *s = key > 0 ? &one : TOMBSTONE;
    if (s == TOMBSTONE)
        return 1; //@ covered
    if (key <= 0)
        return 2; //@ unreachable?
    s->value = 7; //@ holds? null
    return one.value; //@ covered
}

int forgotten(struct entry *x)
{
    struct entry *s = x ? x : TOMBSTONE;
    int key = s->key; //@ may fail null
    if (!x)
        return 1; //@ may run
    return key > 3 ? 2 : 3; //@ covered?
}

/* One behind another, as a list ends with a mark. */
struct link {
    struct link *next;
    int number;
};

#define END ((struct link *)0x1000000)

int summed(int a, int b)
{
    struct link second = {END, b & 15}, first = {&second, a & 15};
    int sum = 0;
    for (struct link *at = &first; at != END; at = at->next)
        sum += at->number;
    if (sum > 30)
        return 1; //@ unreachable?
    if (sum == 30)
        return 2; //@ covered
    return 3; //@ covered
}

int mapped(unsigned long bytes)
{
    char *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return -1; //@ may run
    return 1; //@ covered?
}
