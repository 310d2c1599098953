/* Failures that other data of the same callers avoid, and those that no data do. */
#include <stdio.h>
#include <stdlib.h>

/* The case is known, and fails. */
int logged(int n)
{
    int a[10] = { 0 };
    if (n > 10)
        puts("many");
    return a[n]; //@ fails bounds
}

/* No data pass the check. */
int behind(int n)
{
    int a[10] = { 0 };
    while (n < 10)
        n++;
    return a[n]; //@ fails bounds
}

static int table[40];

/* Only `bounded` calls it, with lengths that fit. */
static int filled(unsigned length)
{
    int a[31] = { 0 };
    for (unsigned i = 0; i < length; i++) {
        a[i + 1] = 1; //@ fails bounds
        table[i] = a[i];
    }
    return table[0];
}

int bounded(unsigned length)
{
    return length > 30 ? -1 : filled(length);
}

struct list { struct list *next; int value; };

/* Only of a list that leads back is freed memory read. */
void free_all(struct list *list)
{
    while (list) {
        struct list *next = list->next; //@ fails use_after_free
        free(list); //@ may fail free
        list = next;
    }
}

/* Of any list. */
int given(struct list *list)
{
    free(list); //@ may fail free
    return list->value; //@ fails null, fails use_after_free
}

struct parser { char *buffer; unsigned size; int grows; };

/* One mistake at two places: it goes on without a buffer if the parser may not grow. */
int put(struct parser *p, char a)
{
    if (!p)
        return 0;
    if (!p->buffer && p->grows)
        return 1;
    if (a == 'b')
        p->buffer[0] = a; //@ fails null, may fail bounds
    else
        p->buffer[1] = a; //@ fails null, may fail bounds
    return 2;
}

/* Who passes a pointer to a structure passes all of it, and not its end. */
void set(struct parser *p, unsigned size)
{
    p->size = size; //@ fails null, may fail bounds
}

void set_all(struct parser *all, struct parser *end)
{
    for (; all != end; all++)
        set(all, 1);
}

//@ run: test --timeout 20 --deny failing --function free_all --function filled --function bounded --function set
//@ exit: 0
//@ says: needs memory that is not freed
//@ says: needs `p != NULL`, or a null pointer is dereferenced
//@ never says: fails[

//@ run: test --timeout 20 --deny failing --function logged
//@ exit: 1
//@ says: fails[bounds]

//@ run: test --timeout 20 --deny failing --function behind
//@ exit: 1
//@ says: fails[bounds]

//@ run: test --timeout 20 --deny failing --function given
//@ exit: 1
//@ says: fails[use-after-free]

//@ run: test --timeout 20 --function put
//@ says: in test 1, which ends with signal 11; `p->buffer != NULL` does not hold
