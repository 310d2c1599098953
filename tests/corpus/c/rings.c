/* Lists with a head that is in them, in what holds the list: they may lead back to it. */
struct list { struct list *before, *next; };
struct box { int n; struct list items; };

int is_empty(struct list *l)
{
    if (l->next == l)
        return 1; //@ covered
    return 0; //@ covered
}

int count(struct box *b)
{
    int n = 0;
    for (struct list *p = b->items.next; p != &b->items; p = p->next)
        if (++n > 3)
            return -1; //@ covered
    return n; //@ covered
}

static struct box shared = {0, {&shared.items, &shared.items}};

void put(struct list *l)
{
    l->next = shared.items.next;
    l->before = &shared.items;
    shared.items.next->before = l;
    shared.items.next = l;
}

int any(void)
{
    if (shared.items.next == &shared.items)
        return 0; //@ covered
    return 1; //@ covered
}
