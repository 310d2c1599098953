/* A failure that callers can avoid is a precondition of the function, one that they cannot is a finding. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };

/* Latent: other inputs take the same path. */
int second(struct node *list)
{
    return list->next->value; //@ fails null
}

int quotient(int a, int b)
{
    return a / b; //@ fails division, fails overflow
}

size_t length(const char *text)
{
    return strlen(text); //@ fails null
}

int on_one_path(int mode, struct node *list)
{
    if (mode == 7)
        return list->value; //@ fails null
    return 0; //@ covered
}

/* Manifest: the path itself says so, or the caller has nothing to do with it. */
int unguarded(struct node *list)
{
    if (!list)
        return list->value; //@ fails null
    return 1; //@ covered
}

struct node *made(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value; //@ fails null
    node->next = NULL;
    return node; //@ covered
}

int of_zero(int a, int b)
{
    if (b == 0)
        return a / b; //@ fails division
    return 0; //@ covered
}

/* Latent by itself, but a function of the program calls it so. */
static int value_of(struct node *list)
{
    return list->value; //@ fails null
}

int of_nobody(int n)
{
    if (n > 3)
        return value_of(NULL);
    return 0; //@ covered
}

/* A portability guard is dead in this build, and no finding. */
int narrow(int n)
{
    if (n > INT_MAX)
        return -1; //@ unreachable
    return n; //@ covered
}

//@ run: test --timeout 20 --verbose
//@ exit: 0
//@ says: needs `list != NULL`, or a null pointer is dereferenced: 11
//@ says: needs `list->next != NULL`, or a null pointer is dereferenced: 11
//@ says: needs `b != 0`, or the division is by zero: 16
//@ says: needs `a != INT_MIN || b != -1`, or the signed result overflows: 16
//@ says: needs `text != NULL`, or a null pointer is dereferenced: 21
//@ says: needs `list != NULL` on some paths, or a null pointer is dereferenced: 27
//@ says: of_nobody calls it so
//@ says: 4 checks can fail
//@ says: 1 place of portability guards never executed
//@ never says: infeasible[

//@ run: test --timeout 20 --strict --verbose
//@ exit: 0
//@ says: 10 checks can fail
//@ never says: needs `

//@ run: test --timeout 20 --deny failing --function second --function quotient --function length
//@ exit: 0
//| function  blocks  branches  failing  infeasible  unknown  tests
//| second    1/1     0/0             0           0        0      3
//| quotient  1/1     0/0             0           0        0      3
//| length    1/1     0/0             0           0        0      2
//| total     3/3     0/0             0           0        0      8
//|
//| second (failures_of_callers.c:9:5, tests in SCRATCH/out/test_failures_of_callers.c)
//|
//|   needs `list != NULL`, or a null pointer is dereferenced: 11:18 `next`, test 2
//|   needs `list->next != NULL`, or a null pointer is dereferenced: 11:24 `value`, test 1
//|
//| quotient (failures_of_callers.c:14:5, tests in SCRATCH/out/test_failures_of_callers.c)
//|
//|   needs `b != 0`, or the division is by zero: 16:14 `/`, test 1
//|   needs `a != INT_MIN || b != -1`, or the signed result overflows: 16:14 `/`, test 2
//|
//| length (failures_of_callers.c:19:8, tests in SCRATCH/out/test_failures_of_callers.c)
//|
//|   needs `text != NULL`, or a null pointer is dereferenced: 21:12 `strlen`, test 1
//|
//| 5 failures that callers can avoid, 3 checks hold (3 within bounds), 8 tests, T s
//| run the tests with `make -C SCRATCH/out`

//@ run: test --timeout 20 --deny failing --function unguarded
//@ exit: 1
//| denied: 1 failing
//| function   blocks  branches  failing  infeasible  unknown  tests
//| unguarded  4/4     2/2             1           0        0      2
//|
//| unguarded (failures_of_callers.c:32:5, tests in SCRATCH/out/test_failures_of_callers.c)
//|
//| fails[null]: a null pointer is dereferenced
//|   --> failures_of_callers.c:35:22
//|    |
//| 35 |         return list->value; //@ fails null
//|    |                      ^^^^^ in test 2, which ends with signal 11; `list != NULL` does not hold
//|
//| 1 check can fail, 1 check holds, 2 tests, T s
//| run the tests with `make -C SCRATCH/out`
