/* Static variables of functions have what earlier calls left; those of a function's own types keep their first value in
   tests, and nothing is claimed of the others. */
#include <stdlib.h>
struct pair { int a; struct pair *next; };

static int plain(void)
{
    static int n;
    n++;
    if (n == 3)
        return 1; //@ covered
    return 0; //@ covered
}

int shadowed(int k)
{
    static int n = 1;
    if (n++ == k)
        return plain(); //@ covered
    {
        static long n[2];
        if (n[k & 1] == 40)
            return 4; //@ covered
        n[1] = 40;
    }
    return 0; //@ covered
}

int record(int k)
{
    static struct pair p = {1, 0};
    p.a = k;
    if (p.next && p.next->a == 9)
        return 1; //@ covered
    p.next = 0;
    return 0; //@ covered
}

int own_types(void)
{
    struct own { int a; };
    static struct own s;
    s.a++;
    if (s.a == 2)
        return 1; //@ covered?
    return 0; //@ covered
}

int never_set(void)
{
    static int zero;
    if (zero)
        return 5; //@ unreachable
    return 6; //@ covered
}

int main(int argc, char **argv)
{
    static int runs;
    runs += argc;
    if (runs == 77)
        return 1; //@ covered
    return 0; //@ covered
}

//@ run: test --function own_types
//@ exit: 0
//@ says: a first call, before which its static variables have their initial values
