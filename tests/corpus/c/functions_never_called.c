/* A function that no run from `main` calls is one finding, also where it is called in dead code only. */
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

static int twice(int n) { return n < 100 ? 2 * n : n; }
int lonely(int n) { return n ? twice(n) : 3; }
int visited(int n) { return n > 5 ? 1 : 0; }
int (*hook)(int) = visited;
static int last(int n) { return n > 3 ? n : 3; }
static int first(int n) { return last(n) + 1; }

int main(void)
{
    int n = __VERIFIER_nondet_int(), held = 0;
    if (n > 7)
        held = 1; //@ covered
    if (n > 7 && !held)
        return first(n); //@ unreachable
    return twice(__VERIFIER_nondet_bool()); //@ covered
}

//@ ask: test --entry main --timeout 20

//@ run: test --entry main --verbose --timeout 20
//@ exit: 0
//@ says: infeasible[uncalled]: the program never calls this function
//@ says: | int lonely(int n)
//@ says: | static int last(int n)
//@ says: | static int first(int n)
//@ never says: | int visited(int n)
