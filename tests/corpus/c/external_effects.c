// What an external function may change, free or return is left to it, and nobody says 'never fails' of what follows.
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int *value; };
void log_line(int n);
void visit(struct node *n);
int *find(int *among);
void release(void *p);
int shared = 1;
static int hidden = 1;

/* A variable that anybody may change. */
int of_a_variable(void)
{
    shared = 2;
    log_line(1);
    return 8 / shared; //@ may fail div
}

/* A variable of this file alone. */
int of_own_variable(void)
{
    hidden = 2;
    log_line(1);
    return 8 / hidden; //@ may fail div
}

/* Nothing is read behind the call. */
int before(int n)
{
    if (n == 0)
        return 0; //@ covered
    int r = 8 / n; //@ holds div
    log_line(r);
    return r; //@ covered
}

/* Two pointers away. */
int behind_pointers(struct node *n)
{
    if (!n || !n->value)
        return 0; //@ covered
    *n->value = 4;
    visit(n);
    return 8 / *n->value; //@ may fail div
}

/* The call stands in a callee. */
static void tell(int n)
{
    log_line(n);
}

int through_a_callee(void)
{
    shared = 3;
    tell(2);
    return 8 / shared; //@ may fail div
}

/* The next iteration reads it. */
int in_a_loop(void)
{
    int sum = 0;
    shared = 4;
    for (int i = 0; i < 2; i++) {
        sum += 8 / shared; //@ may fail div
        log_line(i);
    }
    return sum;
}

/* What is returned may be what was given. */
int returned(int *p)
{
    if (!p)
        return 0; //@ covered
    *p = 1;
    int *q = find(p);
    if (!q)
        return 0; //@ covered
    *q = 2;
    assert(*p == 1); //@ may fail assert
    return 1;
}

/* A pointer to a function that nobody knows. */
int called_back(void (*then)(void))
{
    shared = 5;
    if (then)
        then();
    return 8 / shared; //@ may fail div
}

/* What was kept earlier is freed later. */
int kept_and_freed(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0; //@ covered
    release(p);
    log_line(3);
    *p = 1; //@ may fail use_after_free
    return 1;
}

/* Nobody else knows this one. */
int own(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0; //@ covered
    *p = 2;
    log_line(4);
    int r = 8 / *p; //@ holds div, holds use_after_free
    free(p);
    return r; //@ covered
}

//@ run: failures --function before --function own
//@ exit: 0
//@ says: never fails
//@ says: exact

//@ run: failures --function in_a_loop
//@ exit: 0
//@ says: runs in which external functions change memory other than what tests have them write are left out
