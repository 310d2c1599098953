/* Pointers to functions, also to those of the library; addresses that meet behind a branch. */
#include <stdlib.h>
#include <string.h>

struct allocator { void *(*get)(size_t); void (*drop)(void *); };
struct small { char a, b; };
struct middle { int x; double y; };
struct large { int a[6]; };

static struct small swap(struct small s) { return (struct small){s.b, s.a}; }
static struct middle grow(struct middle m, int by) { m.x += by; m.y *= 2; return m; }
static struct large shift(struct large l) { for (int i = 0; i < 5; i++) l.a[i] = l.a[i + 1]; return l; }
static int apply(int (*f)(struct large, struct small), struct large l, struct small s) { return f(l, s); }
static int look(struct large l, struct small s) { return l.a[2] * 10 + s.a; }
static const char *name(int n) { return n > 1 ? "" : n > 0 ? "x" : "yz"; }

int main(void)
{
    struct allocator allocator = {malloc, free};
    int *p = allocator.get(3 * sizeof *p);
    if (!p)
        return 1;
    for (int i = 0; i < 3; i++)
        p[i] = i + 4;
    int sum = p[0] + p[1] * p[2];
    allocator.drop(p);
    struct small s = swap((struct small){3, 9});
    struct middle m = grow((struct middle){5, 1.5}, 4);
    struct large l = shift((struct large){{1, 2, 3, 4, 5, 6}});
    sum += s.a * 2 + m.x + (int)m.y + apply(look, l, s) + (int)strlen(name(sum)) + name(0)[1] + (int)strlen(name(2));
    return (unsigned)sum % 251;
}
