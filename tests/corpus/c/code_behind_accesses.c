/* Compiled programs go on behind an access beyond its object: what that may change rests on the access, what it cannot is
   dead for good. */
int table[8];

int written(int x, int i)
{
    if (x > 5) {
        table[i] = 1; //@ fails bounds
        if (x < 3)
            return 1; //@ may run
    }
    return 0; //@ covered
}

int read(int x, int i)
{
    if (x > 5) {
        int y = table[i]; //@ fails bounds
        if (x < 3)
            return y; //@ unreachable
        if (y * 0 == 1)
            return 2; //@ unreachable
    }
    return 0; //@ covered
}

int read_first(int x, int i)
{
    if (x > 5 && table[i] < 9 && x < 3)
        return 1; //@ unreachable
    return 0; //@ covered
}

int proved(int x, unsigned i)
{
    if (i >= 8)
        return 0; //@ covered
    table[i] = x; //@ holds bounds
    if (table[i] != x)
        return 1; //@ unreachable
    return 2; //@ covered
}

//@ run: reach --timeout 20 --target code_behind_accesses.c:10 --format json
//@ exit: 0
//@ says: "accesses_stay"
