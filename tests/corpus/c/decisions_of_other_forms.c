/* What is no decision of a known form is told, and what looks like one and is none does no harm. */
#include <assert.h>

int choice(int a, int *p, int c)
{
    if (a && (p ? *p : c))
        return 1; //@ covered
    return 0; //@ covered
}

int statement(int a, int b)
{
    if (a && ({
            int t = b;
            if (t > 3)
                t = 0;
            t;
        }))
        return 1; //@ covered
    return 0; //@ covered
}

int asserted(int n)
{
    if (n < 0 || n > 9)
        return -1; //@ covered
    assert(n >= 0 && n < 10);
    return n; //@ covered
}

int negated(int a, int b, int c)
{
    return !(a && !(b > 1 || c)) ? 5 : 6;
}

int recursive(int n, int m)
{
    if (n > 0 && (m || recursive(n - 1, 1) > 0))
        return 1; //@ covered
    return 0; //@ covered
}

//@ run: test --criterion mcdc --verbose --timeout 30
//@ exit: 0
//| function   blocks  branches  failing  infeasible  unknown  tests
//| choice     6/6     8/8             0           0        0      5
//| statement  7/7     6/6             0           0        0      3
//| asserted   8/8     6/6             0           0        0      3
//| negated    4/4     4/4             0           0        0      4
//| recursive  6/6     6/6             0           0        0      2
//| total      31/31   30/30           0           0        0     17
//|
//| choice (decisions_of_other_forms.c:4:5, tests in SCRATCH/out/test_decisions_of_other_forms.c)
//|
//|   MC/DC 0 of 4 conditions, 4 unknown
//|     6:9 `a` unknown whether it can decide alone: its decision is not looked at, as it can be evaluated in more than 64 ways, or has `?:` or statements as a condition
//|     6:14 `(p ? *p : c)` unknown whether it can decide alone: its decision is not looked at, as it can be evaluated in more than 64 ways, or has `?:` or statements as a condition
//|     6:15 `p` unknown whether it can decide alone: its decision is not looked at, as it can be evaluated in more than 64 ways, or has `?:` or statements as a condition
//|     6:24 `c` unknown whether it can decide alone: its decision is not looked at, as it can be evaluated in more than 64 ways, or has `?:` or statements as a condition
//|
//| statement (decisions_of_other_forms.c:11:5, tests in SCRATCH/out/test_decisions_of_other_forms.c)
//|
//|   MC/DC 3 of 3 conditions
//|     13:9 `a` decides (unique-cause): T T in test 3, F - in test 1
//|     13:14 `({ int t = b; if (t > 3) t = 0; t; })` decides (unique-cause): T T in test 3, T F in test 2
//|     15:17 `t > 3` decides (unique-cause): T in test 2, F in test 3
//|
//| asserted (decisions_of_other_forms.c:23:5, tests in SCRATCH/out/test_decisions_of_other_forms.c)
//|
//|   defensive code that no input executes:
//|     27:5 `assert`
//|
//|   MC/DC 2 of 2 conditions
//|     25:9 `n < 0` decides (unique-cause): T - in test 2, F F in test 1
//|     25:18 `n > 9` decides (unique-cause): F T in test 3, F F in test 1
//|
//| negated (decisions_of_other_forms.c:31:5, tests in SCRATCH/out/test_decisions_of_other_forms.c)
//|
//|   MC/DC 3 of 3 conditions
//|     33:14 `a` decides (unique-cause): T F F in test 4, F - - in test 1
//|     33:21 `b > 1` decides (unique-cause): T T - in test 2, T F F in test 4
//|     33:30 `c` decides (unique-cause): T F T in test 3, T F F in test 4
//|
//| recursive (decisions_of_other_forms.c:36:5, tests in SCRATCH/out/test_decisions_of_other_forms.c)
//|
//|   MC/DC 3 of 3 conditions
//|     38:9 `n > 0` decides (unique-cause): T F T in test 1, F - - in test 2
//|     38:19 `m` decides (unique-cause): T T - in test 1, T F F in test 2
//|     38:24 `recursive(n - 1, 1) > 0` decides (unique-cause): T F T in test 1, T F F in test 2
//|
//| 4 checks hold (2 within bounds), 1 place of defensive code never executed, 17 tests, T s
//| MC/DC 11 of 15 conditions, 4 unknown
//| run the tests with `make -C SCRATCH/out`
