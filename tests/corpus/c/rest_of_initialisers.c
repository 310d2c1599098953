/* What an initialiser leaves out is zero, whatever its form. */
struct rec { char a[1]; unsigned len; char b[4]; };

int member(void)
{
    struct rec r = {.len = 2};
    if (r.b[3])
        return 1; //@ unreachable
    return 2; //@ covered
}

int elements(int i)
{
    int a[6] = {1, 2};
    if (i < 2 || i > 5)
        return 0; //@ covered
    if (a[i])
        return 1; //@ unreachable
    return 2; //@ covered
}

struct point { int x, y; };

int copied(int a)
{
    struct point p = {a, 2};
    struct point q = p;
    if (q.y != 2)
        return 1; //@ unreachable
    return 2; //@ covered
}

int text(void)
{
    char t[] = "abc";
    if (t[1] != 'b')
        return 1; //@ unreachable
    return 2; //@ covered
}
