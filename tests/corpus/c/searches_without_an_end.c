/* A search runs beyond an array if no element is what it looks for: one condition for every index, instead of a disjunct for each
   length. */
#include <stddef.h>
#include <string.h>

size_t count(const unsigned char *bytes)
{
    size_t n = 0;
    if (bytes == NULL)
        return 0;
    while (bytes[n]) //@ fails bounds
        n++;
    return n;
}

int find(const int *a, int what)
{
    int i = 0;
    while (a[i] != what) //@ fails bounds, fails null
        i++;
    return i;
}

size_t from(const unsigned char *s, size_t at)
{
    return strlen((const char *)s + at); //@ fails bounds, fails null
}

/* Two arrays may end. */
int order(const unsigned char *a, const unsigned char *b)
{
    size_t i = 0;
    if (!a || !b)
        return 0;
    while (a[i] == b[i] && a[i]) //@ fails bounds
        i++;
    return a[i] - b[i];
}

/* A text ends, so this does not fail. */
size_t characters(const char *text)
{
    size_t n = 0;
    while (text && text[n]) //@ holds bounds
        n++;
    return n;
}

/* A limit of four elements is no array's end. */
int four(const int *a)
{
    int i = 0;
    if (!a)
        return 0;
    while (i < 4 && a[i] == i) //@ fails bounds
        i++;
    return i;
}

//@ run: failures --function count --timeout 300
//@ exit: 0
//@ says: fails when (bytes != NULL && for every i < length(bytes): bytes[i] != 0)
//@ says: exact
//@ says: in C: if (bytes != NULL) { long i = 0; while (i < length(bytes) && bytes[i] != 0) i++; if (!(i < length(bytes))) return 1; } return 0;
//@ says: nothing fails with: assume (bytes == NULL || for some i < length(bytes): bytes[i] == 0)

//@ run: failures --function find --timeout 300
//@ exit: 0
//@ says: fails when a == NULL || (for every i < length(a): what != a[i])
//@ says: exact

//@ run: failures --function from --timeout 300
//@ exit: 0
//@ says: fails when s == NULL || length(s) <= at || (for every i <= 7 && at + i < length(s): s[at + i] != 0)
//@ says: exact

//@ run: failures --function order --timeout 300
//@ exit: 0
//@ says: for every i < length(a) && i < length(b): a[i] == b[i] && a[i] != 0

//@ run: failures --function characters
//@ exit: 0
//@ says: never fails

//@ run: failures --function four --timeout 300
//@ exit: 0
//@ says: exact
//@ never says: for every
