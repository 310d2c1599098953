/* A name is looked for in the whole program: runs start in `main` if there is one. A line is asked about in its function, unless
   a name is asked about, too. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void require(int holds)
{
    if (!holds) {
        reach_error();
    }
}

void spare(int x)
{
    require(x > 0);
}

int main(void)
{
    int i = 0;
    while (__VERIFIER_nondet_int())
        i += 2;
    require(i % 2 == 0);
    return 0;
}

//@ run: reach --timeout 30 --target reach_error
//@ exit: 0
//@ says: unreachable  where_runs_start.c:9:9 from main, for any number of loop iterations

//@ run: reach --timeout 30 --target require
//@ exit: 0
//@ says: reached      where_runs_start.c:8:9 from main

//@ run: reach --timeout 30 --target where_runs_start.c:9
//@ exit: 0
//@ says: reached      where_runs_start.c:9:9 from require

//@ run: reach --timeout 30 --target where_runs_start.c:9 --target reach_error
//@ exit: 0
//@ says: unreachable  where_runs_start.c:9:9 from main, for any number of loop iterations
//@ never says: from require

//@ run: reach --timeout 30 --target reach_error --function spare
//@ exit: 0
//@ says: reached      where_runs_start.c:9:9 from spare
