/* Every pointer has an object of its own in conditions, so what needs two in one object is left out, and that is said. Null
   lies below all objects. */
long span(const char *from, const char *to)
{
    if (to - from > 2)
        return 10 / (*from - 'x'); //@ fails? division
    return to - from;
}

int at(const int *p, const int *end)
{
    if (p < end)
        return *p; //@ fails null
    return 0;
}

//@ ask: failures --timeout 20

//@ run: failures --timeout 20
//@ exit: 0
//@ says: no failure was found
//@ says: sufficient; other inputs may fail, too: runs in which pointers into different objects, or far from one, are compared or subtracted are left out
//@ says: fails when p == NULL && end != NULL
//@ never says: never fails
