/* Where a function of the library fails, its call is shown. */
#include <string.h>

int empty(const char *s)
{
    return strlen(s) == 0; //@ fails null
}

//@ ask: failures --timeout 20

//@ run: failures --timeout 20
//@ exit: 0
//@ says: fails when s == NULL
//@ says: null at conditions_on_library_calls.c:6:12
//@ never says: model_
