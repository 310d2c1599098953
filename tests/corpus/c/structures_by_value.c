/* Structures are passed and returned by value: in registers, in memory, with pointers in them. */
struct small { char a, b; short c; };
struct mixed { double x; int n; };
struct link { struct mixed *next; long k; };
struct large { int a[6]; char name[8]; };

int in_registers(struct small s, struct mixed m, int k)
{
    if (s.a == 7 && s.c > 1000 && m.x > 2.5 && m.n == k)
        return 1; //@ covered
    return 0; //@ covered
}

int leads_on(struct link l)
{
    if (l.next && l.next->n == l.k)
        return 1; //@ covered
    return 0; //@ covered
}

struct large in_memory(struct large l, struct small s)
{
    if (l.a[1] == s.c && s.c == 55)
        l.a[0] = 3; //@ covered
    return l; //@ covered
}

int contradiction(struct small s)
{
    struct small copy = s;
    if (copy.b != s.b)
        return 1; //@ unreachable
    return 0; //@ covered
}
