/* Passing a structure reads it. */
struct mark { unsigned long line, column, index; };
struct parser { struct mark *top; int error; };

static void fail(struct parser *p, const char *what, struct mark at)
{
    p->error = what[0] + (int)at.line;
}

int ends(struct parser *p)
{
    fail(p, "end", *(--p->top)); //@ fails bounds, fails null
    return 0; //@ covered
}
