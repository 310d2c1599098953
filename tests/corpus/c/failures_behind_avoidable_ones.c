/* What fails behind an overflow that a caller can avoid is no finding of its own. */
#include <stdlib.h>
#include <string.h>

int set_between(int start, int end)
{
    if (end < 0 || end > 100)
        return -1;
    char *bytes = malloc(100);
    if (!bytes)
        return -1;
    if (start < end)
        memset(bytes + start, 0, (size_t)(end - start)); //@ fails bounds, fails overflow
    free(bytes);
    return 0;
}

//@ run: test --timeout 10
//@ exit: 0
//@ says: 2 failures that callers can avoid
//@ never says: fails[
