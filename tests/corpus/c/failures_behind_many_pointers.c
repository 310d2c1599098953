/* The condition of a function whose inputs reach many pointers does not repeat what is assumed of each of them. */
#include <limits.h>
#include <string.h>

struct hooks {
    void *(*allocate)(unsigned long);
    void (*release)(void *);
    void *(*resize)(void *, unsigned long);
};

struct item {
    struct item *next, *prev, *child;
    char *text;
    int whole;
    double value;
    char *name;
};

static struct hooks hooks;

double set(struct item *item, double number) {
    if (number >= INT_MAX) {
        item->whole = INT_MAX; //@ fails null
    } else if (number <= (double)INT_MIN) {
        item->whole = INT_MIN; //@ fails null
    } else {
        item->whole = (int)number; //@ fails null, fails float_cast
    }
    return item->value = number;
}

struct item *made(void) {
    struct item *item = hooks.allocate(sizeof *item);
    if (item) {
        memset(item, 0, sizeof *item);
    }
    return item;
}

void use(void *(*allocate)(unsigned long), void (*release)(void *), void *(*resize)(void *, unsigned long)) {
    hooks.allocate = allocate;
    hooks.release = release;
    hooks.resize = resize;
}

//@ run: failures --function set
//@ exit: 0
//@ says: fails when item == NULL || isnan(number)
//@ says: exact
//@ says: nothing fails with: assume item != NULL && !isnan(number)
