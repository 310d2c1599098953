/* An index stays in its member or row, also where the object goes on behind it. */
struct tray { short cells[3]; unsigned count; };
struct grid { int rows[2][3]; int end; };

int beyond_the_member(struct tray *t)
{
    if (!t)
        return -1;
    t->cells[t->count] = 7; //@ fails subobject
    return 1;
}

int within_the_member(struct tray *t)
{
    if (!t || t->count >= 3)
        return -1;
    t->cells[t->count] = 7; //@ holds subobject
    return 1;               //@ covered
}

int beyond_the_row(int i)
{
    struct grid g = {{{0}}, 0};
    if (i < 3 || i > 5)
        return 0;
    return g.rows[0][i]; //@ fails subobject, holds bounds
}

int within_the_row(int i)
{
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    if (i < 0 || i > 2)
        return 0;
    return m[1][i]; //@ holds subobject, holds bounds
}

int before_the_member(struct grid *g, int i)
{
    if (!g || i != -1)
        return 0;
    return g->rows[1][i]; //@ fails subobject
}

struct text { int length; char bytes[1]; };
int flexible(struct text *t, int i)
{
    if (!t || i < 0)
        return 0;
    return t->bytes[i]; //@ holds? subobject
}
