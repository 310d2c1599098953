/* Structures that begin with a common one, to which their users cast it, often by a function: what is behind a pointer is any of those
   that the program casts it to, and has their pointers where they are. */
#include <stddef.h>

enum kind { NUMBER, PAIR, TEXT };

struct node {
    enum kind kind;
};

struct number {
    struct node base;
    long value, error;
};

struct pair {
    struct node base;
    struct node *first, *second;
};

struct text {
    struct node base;
    char letters[24];
};

static const struct number *number_of(const struct node *node)
{
    return (const struct number *)node;
}

static const struct pair *pair_of(const struct node *node)
{
    return (const struct pair *)node;
}

static const struct text *text_of(const struct node *node)
{
    return (const struct text *)node;
}

long value_of(const struct node *node)
{
    if (node->kind == NUMBER)
        return number_of(node)->value == 1234567 ? 1 : 2; //@ covered
    return 0;
}

int is_sum(const struct node *node)
{
    if (node->kind == NUMBER && number_of(node)->value == 77)
        return 1; //@ covered
    if (node->kind == PAIR && pair_of(node)->first && pair_of(node)->second) {
        if (pair_of(node)->first->kind == TEXT)
            return 2; //@ covered
        if (pair_of(node)->second->kind == NUMBER)
            return 3; //@ covered
    }
    if (node->kind == TEXT && text_of(node)->letters[0] == '(' && text_of(node)->letters[9] == ')')
        return 4; //@ covered
    if (node->kind == NUMBER && node->kind == PAIR)
        return 5; //@ unreachable
    return 0;
}

/* The same in a union. */
struct item {
    int kind;
    union {
        struct {
            long low, high;
        } range;
        struct {
            struct item *left, *right;
        } both;
    } of;
};

int depth(const struct item *item)
{
    if (item->kind == 1 && item->of.range.low + 5 == item->of.range.high)
        return 1; //@ covered
    if (item->kind == 2 && item->of.both.left && item->of.both.right)
        return item->of.both.left->kind == 7 && item->of.both.right->kind == 8 ? 2 : 3; //@ covered
    return 0;
}
