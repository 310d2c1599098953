/* Types that say that they access objects of other types. */
typedef short __attribute__((may_alias)) any_short;

int as_shorts(int *p, any_short *q)
{
    if (!p || !q)
        return 0;
    *p = 1;
    *q = 2;
    if (*p != 1)
        return 1; //@ may run
    return 2; //@ covered
}

//@ run: test
//@ exit: 0
//@ never says: infeasible[
