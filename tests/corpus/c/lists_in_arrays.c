// Linked lists whose nodes are elements of an array, made in one loop and walked in another.
struct node {
    int value;
    struct node *next;
};

static struct node cells[100];

int same_values(void)
{
    struct node *p = 0;
    for (int i = 0; i < 100; i++) {
        cells[i].value = 3;
        cells[i].next = p;
        p = &cells[i];
    }
    while (p) {
        if (p->value != 3)
            return 1; //@ unreachable?
        p = p->next;
    }
    return 2; //@ covered?
}

int numbered(void)
{
    struct node *p = 0;
    for (int i = 0; i < 100; i++) {
        cells[i].value = i;
        cells[i].next = p;
        p = &cells[i];
    }
    while (p) {
        if (p->value == 40)
            return 1; //@ covered? 100
        p = p->next;
    }
    return 2; //@ unreachable?
}

int main(void)
{
    return same_values() + numbered(); //@ covered? 100
}

//@ run: reach --function main --target lists_in_arrays.c:19 --target lists_in_arrays.c:35
//@ exit: 0
//@ says: unreachable  lists_in_arrays.c:19:
//@ says: reached      lists_in_arrays.c:35:
