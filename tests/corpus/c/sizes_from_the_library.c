/* A size comes from a function of the library that has no model, so no check in the program form says that it is too large; the
   compiled test writes beyond the row all the same, and what it passes behind that is not covered. */
#define _XOPEN_SOURCE 700
#include <string.h>
#include <wchar.h>

int blank(char c)
{
    char row[4];
    int n = wcswidth(L"abcdefghij", 10);
    memset(row, c, n); //@ may fail bounds
    if (row[0] == 'x')
        return 1; //@ may run
    return 2; //@ may run
}

//@ run: test
//@ exit: 0
//@ says: come to undefined behaviour before
//@ says: 3 tests
