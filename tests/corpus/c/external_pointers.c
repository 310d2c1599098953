/* An external function returns any pointer: one that it was given, null, or one to an object larger than those of tests. */
#include <stdlib.h>
struct entry { long a, b; };
void *make(size_t size);
void *insert(void *set, void *entry);
void give_up(void);
static void *set;

int visit(long a, long b)
{
    struct entry *own = make(sizeof *own), *found;
    if (!own)
        return -1; //@ covered
    own->a = a; //@ may fail bounds
    own->b = b; //@ may fail bounds
    found = insert(set, own);
    if (!found)
        give_up(); //@ covered
    if (found != own) {
        free(own); //@ covered
        return 1;
    }
    return 0; //@ covered?
}

int large(void)
{
    char *text = make(500);
    if (text && text[400] == 'x') //@ may fail bounds
        return 1; //@ covered?
    return 0; //@ covered
}

//@ run: verify
//@ exit: 0
//@ never says: bounds          verified
