/* Pointers in memory are null, or lead to what has a name, however they are stored; that an array is shorter than it is taken
   for is one comparison. */
#include <stdlib.h>
struct node { int v; struct node *next; };
struct box { int k; char *name; struct node *list; };
int back(struct node *p) { if (p && p->next && p->next->v == 3) abort(); return 0; }
int last(struct node *p) { if (p && !p->next && p->v == 3) abort(); return 0; }
int two(struct node *p) { return p->next->v; } //@ fails null
int named(struct box *b) { if (b && b->name && b->name[0] == 'x' && !b->list) abort(); return 0; }
int deep(struct box *b, int i) { if (b && b->list && b->k == i) return b->list->next->v; return 0; } //@ fails null
struct node *root;
int global(int i) { if (root && root->next && i == 3) abort(); return 0; }
unsigned char sum(const unsigned char *p, size_t n) { unsigned char s = 0; while (n--) s ^= *p++; return s; } //@ fails null, fails bounds

//@ ask: failures --timeout 20

//@ run: failures --timeout 60 --query-timeout 20
//@ exit: 0
//@ says: fails when p != NULL && ((p->next == p && p->v == 3) || (p->next != NULL && p->next != p && p->next->v == 3))
//@ says: fails when p != NULL && p->next == NULL && p->v == 3
//@ says: fails when p == NULL || p->next == NULL
//@ says: fails when b != NULL && b->name != NULL && b->name[0] == 'x' && b->list == NULL
//@ says: fails when b != NULL && b->list != NULL && i == b->k && b->list->next == NULL
//@ says: fails when root != NULL && i == 3 && root->next != NULL
//@ says: fails when (p == NULL && n != 0) || (p != NULL && length(p) < n)
//@ never says: sufficient
//@ never says: necessary
