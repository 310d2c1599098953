/* What a function does not demand but of how the objects of its caller are linked and how large they are: that it fails with other
   objects is no finding. The objects that tests make are few, each as large as its type. */
#include <stddef.h>
#include <stdlib.h>

struct link { struct link *before, *after; };
struct ring { struct link head; };
struct slot { struct link *first, *last; };
struct entry { int key; struct link link; int value; };
#define ENTRY(at) ((struct entry *)((char *)(at) - offsetof(struct entry, link)))

/* Neighbours of a link are links. */
static void put_before(struct link *place, struct link *link)
{
    link->after = place; //@ fails null
    link->before = place->before;
    place->before->after = link;
    place->before = link;
}

/* It can only be told from the caller's list which arm is taken. */
void put(struct ring *ring, struct slot *slot, struct link *link)
{
    if (slot->first == &ring->head && slot->first == slot->last) { //@ fails null
        put_before(&ring->head, link);
        slot->first = slot->last = link;
    } else {
        put_before(slot->first, link);
        slot->first = link;
    }
}

/* The links are parts of entries. */
int total(struct ring *ring)
{
    int sum = 0;
    struct link *next;
    for (struct link *at = ring->head.after; at != &ring->head; at = next) { //@ fails null
        next = at->after;
        sum += ENTRY(at)->value & 7;
    }
    return sum; //@ covered
}

struct entry *with_key(struct slot *slot, int key)
{
    for (struct link *at = slot->first;; at = at->after) { //@ fails null
        if (ENTRY(at)->key == key)
            return ENTRY(at);
        if (at == slot->last)
            return NULL;
    }
}

/* How long the buffer is, the caller says in another field. */
struct buffer { char *text; size_t length, used; };

static char *room(struct buffer *b, size_t wanted)
{
    if (!b->text || b->used >= b->length) //@ fails null
        return NULL;
    return wanted + 1 <= b->length - b->used ? b->text + b->used : NULL;
}

int add(struct buffer *b, char c)
{
    char *end = room(b, 1);
    if (!end)
        return 0; //@ covered
    end[0] = c;
    end[1] = '\0';
    b->used++;
    return 1; //@ covered
}

//@ run: test --timeout 20 --deny failing
//@ exit: 0
//@ says: 6 functions demand of callers
//@ never says: fails[
