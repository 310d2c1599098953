/* Without `main`, runs to a name start in the functions that nothing calls, one after the other until one gets there. */
extern void reach_error(void);

static void require(int holds)
{
    if (!holds) {
        reach_error();
    }
}

static int half(int x)
{
    require(x % 2 == 0);
    return x / 2;
}

int careful(int x)
{
    return half(x - x % 2);
}

int unrelated(int x)
{
    return x + 1;
}

int careless(int x)
{
    return half(x);
}

int careless_again(int x)
{
    return half(x) + 1;
}

//@ run: reach --timeout 30 --target reach_error
//@ exit: 0
//@ says: unreachable  roots_of_a_library.c:7:9 from careful, for any number of loop iterations
//@ says: reached      roots_of_a_library.c:7:9 from careless
//@ never says: from unrelated
//@ never says: from require
//@ never says: from half
//@ never says: from careless_again
