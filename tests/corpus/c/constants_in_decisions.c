/* Operands that are constants are no conditions of a decision: the text of an assertion, and what the compiler folds. */
#include <assert.h>

int asserted(int n)
{
    if (n > 5 && "large")
        return 1; //@ covered
    assert(n <= 5 && "n is (not; large");
    return 0; //@ covered
}

int folded(int a, int b)
{
    if (a > 3 && (b < 7 || 0))
        return 1; //@ covered
    return 0; //@ covered
}

int first(int a)
{
    if ("always" && a > 1)
        return 1; //@ covered
    return 0; //@ covered
}

int decided(int a, int b)
{
    if ((a || "always") && b)
        return 1; //@ covered
    return 0; //@ covered
}

int as_value(int a, int b)
{
    int both = a && "text" && b;
    return both;
}

//@ run: test --criterion mcdc --verbose --timeout 30
//@ exit: 0
//| function  blocks  branches  failing  infeasible  unknown  tests
//| asserted  8/8     5/5             0           0        0      2
//| folded    5/5     4/4             0           0        0      3
//| first     5/5     3/4             0           1        0      2
//| decided   6/6     5/6             0           1        0      4
//| as_value  3/3     3/4             0           1        0      3
//| total     27/27   20/23           0           3        0     14
//|
//| asserted (constants_in_decisions.c:4:5, tests in SCRATCH/out/test_constants_in_decisions.c)
//|
//|   defensive code that no input executes:
//|     8:5 `assert`
//|
//|   MC/DC 1 of 1 condition
//|     6:9 `n > 5` decides (unique-cause): T in test 2, F in test 1
//|
//| folded (constants_in_decisions.c:12:5, tests in SCRATCH/out/test_constants_in_decisions.c)
//|
//|   MC/DC 2 of 2 conditions
//|     14:9 `a > 3` decides (unique-cause): T T in test 2, F - in test 1
//|     14:19 `b < 7` decides (unique-cause): T T in test 2, T F in test 3
//|
//| first (constants_in_decisions.c:19:5, tests in SCRATCH/out/test_constants_in_decisions.c)
//|
//| infeasible[always-true]: this condition is never false
//|   --> constants_in_decisions.c:21:9
//|    |
//| 21 |     if ("always" && a > 1)
//|    |         ^^^^^^^^ never false
//|
//|   MC/DC 1 of 1 condition
//|     21:21 `a > 1` decides (unique-cause): T in test 2, F in test 1
//|
//| decided (constants_in_decisions.c:26:5, tests in SCRATCH/out/test_constants_in_decisions.c)
//|
//| infeasible[always-true]: this condition is never false
//|   --> constants_in_decisions.c:28:9
//|    |
//| 28 |     if ((a || "always") && b)
//|    |         ^^^^^^^^^^^^^^^ never false
//|
//|   MC/DC 1 of 2 conditions, 1 infeasible
//|     28:10 `a` cannot decide alone: the other conditions leave it nothing to decide
//|     28:28 `b` decides (unique-cause): F T in test 4, F F in test 1
//|
//| as_value (constants_in_decisions.c:33:5, tests in SCRATCH/out/test_constants_in_decisions.c)
//|
//| infeasible[always-true]: this condition is never false
//|   --> constants_in_decisions.c:35:21
//|    |
//| 35 |     int both = a && "text" && b;
//|    |                     ^^^^^^ never false
//|
//|   MC/DC 2 of 2 conditions
//|     35:16 `a` decides (unique-cause): T T in test 2, F - in test 1
//|     35:31 `b` decides (unique-cause): T T in test 2, T F in test 3
//|
//| 1 check holds, 1 place of defensive code never executed, 14 tests, T s
//| MC/DC 7 of 8 conditions, 1 infeasible
//| run the tests with `make -C SCRATCH/out`
