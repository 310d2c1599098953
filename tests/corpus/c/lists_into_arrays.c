/* Lists that are longer than what they are copied into; all code is covered by shorter ones. */
struct node { int value; struct node *next; };

int fill(const struct node *p)
{
    int a[3];
    int n = 0;
    while (p) {
        a[n++] = p->value; //@ fails bounds
        p = p->next;
    }
    return n;
}

const char *join(const struct node *p)
{
    static char text[5];
    int n = 0;
    for (; p; p = p->next)
        text[n++] = (char)('0' + (p->value & 7)); //@ fails bounds
    text[n] = 0; //@ fails bounds
    return text;
}

int divides(const struct node *p)
{
    int n = 0;
    while (p) {
        n++;
        p = p->next;
    }
    return 100 / (n - 5); //@ fails division
}

//@ run: failures --timeout 10
//@ says: 3 pointers are followed at most, so lists are no longer
