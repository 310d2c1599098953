/* What is behind a pointer has the type as which it is read: the member of a union, or whatever a `void *` is cast to. */
#include <stdlib.h>
struct value { int kind; union { struct { int size, used; long *digits; } n; char *s; } u; };

int is_zero(struct value *v)
{
    if (v->kind == 0)
        return v->u.n.size == 0; //@ covered
    if (v->u.s[0] == '0')
        return 1; //@ covered
    return 0; //@ covered
}

struct writer { int n; char *text; };
struct reader { long counts[9]; int n; };
struct file { void *state; };

int reads(struct file *f)
{
    struct reader *r = f->state;
    if (r->counts[3] > 7)
        return 1; //@ covered
    return 0; //@ covered
}

int writes(struct file *f)
{
    struct writer *w = f->state;
    if (w->text[0] == 'w')
        free(f->state); //@ covered
    return 0; //@ covered
}
