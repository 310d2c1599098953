/* Conditions of Boolean expressions: which of them can decide the outcome alone, and by which pair of evaluations. */
int coupled(int a, int b, int c)
{
    if ((a && b) || (!a && c))
        return 1; //@ covered
    return 0; //@ covered
}

int implied(int x)
{
    return x > 3 && x > 1;
}

int joined(int a, int b, int c)
{
    int both = (a > 1 || b) && c;
    return both;
}

int nested(int a, int b, int c)
{
    if (a && implied(b && c))
        return 2; //@ unreachable
    return 0; //@ covered
}

int in_loop(int n)
{
    int i = 0;
    while (i < n && i < 2)
        i++; //@ covered
    return i;
}

int compared(int x)
{
    int large = x > 1;
    return !large;
}

int never(unsigned x)
{
    return x < 5 && !(x > 7) ? 1 : 2;
}

int on_lines(int a, int b, const int *p)
{
    if (a > 4
        && !(b < 2 /* or */
             || (p && *p == 3)))
        return 1; //@ covered
    return 0; //@ covered
}

//@ run: test --criterion mcdc --verbose --timeout 30
//@ exit: 0
//| function  blocks  branches  failing  infeasible  unknown  tests
//| coupled   7/7     8/8             0           0        0      4
//| implied   3/3     2/2             0           0        0      2
//| joined    3/3     4/4             0           0        0      5
//| nested    5/6     5/6             0           2        0      4
//| in_loop   6/6     4/4             0           0        0      2
//| compared  1/1     0/0             0           0        0      2
//| never     3/3     2/2             0           0        0      2
//| on_lines  7/7     8/8             0           0        0      5
//| total     35/36   33/34           0           2        0     26
//|
//| coupled (conditions_that_decide_alone.c:2:5, tests in SCRATCH/out/test_conditions_that_decide_alone.c)
//|
//|   MC/DC 4 of 4 conditions
//|     4:10 `a` decides (masking): T T - - in test 2, F - T F in test 1
//|     4:15 `b` decides (unique-cause): T T - - in test 2, T F F - in test 4
//|     4:22 `!a` decides (masking): F - T T in test 3, T F F - in test 4
//|     4:28 `c` decides (unique-cause): F - T T in test 3, F - T F in test 1
//|
//| implied (conditions_that_decide_alone.c:9:5, tests in SCRATCH/out/test_conditions_that_decide_alone.c)
//|
//|   MC/DC 1 of 2 conditions, 1 infeasible
//|     11:12 `x > 3` decides (unique-cause): T T in test 2, F - in test 1
//|     11:21 `x > 1` cannot decide alone: no input evaluates the decision as T F
//|
//| joined (conditions_that_decide_alone.c:14:5, tests in SCRATCH/out/test_conditions_that_decide_alone.c)
//|
//|   MC/DC 3 of 3 conditions
//|     16:17 `a > 1` decides (unique-cause): T - T in test 3, F F - in test 1
//|     16:26 `b` decides (unique-cause): F T T in test 2, F F - in test 1
//|     16:32 `c` decides (unique-cause): F T T in test 2, F T F in test 4
//|
//| nested (conditions_that_decide_alone.c:20:5, tests in SCRATCH/out/test_conditions_that_decide_alone.c)
//|
//| infeasible[dead-code]: no input executes this
//|   --> conditions_that_decide_alone.c:22:14
//|    |
//|  9 | int implied(int x)
//|    |     ------- ruled out by this …
//| 10 | {
//| 11 |     return x > 3 && x > 1;
//|    |     ------       --   - … and this
//|    |     |            |
//|    |     |            … and this
//|    |     … and this
//| ...
//| 22 |     if (a && implied(b && c))
//|    |              -------^^^^^^^^
//|    |              |
//|    |              never true
//|    |              … and this
//| 23 |         return 2; //@ unreachable
//|    |         ^^^^^^ never executed
//|
//|   MC/DC 2 of 4 conditions, 2 infeasible
//|     22:9 `a` cannot decide alone: no input evaluates the decision as T T
//|     22:14 `implied(b && c)` cannot decide alone: no input evaluates the decision as T T
//|     22:22 `b` decides (unique-cause): T T in test 2, F - in test 3
//|     22:27 `c` decides (unique-cause): T T in test 2, T F in test 4
//|
//| in_loop (conditions_that_decide_alone.c:27:5, tests in SCRATCH/out/test_conditions_that_decide_alone.c)
//|
//|   MC/DC 2 of 2 conditions
//|     30:12 `i < n` decides (unique-cause): T T in test 2, F - in test 1
//|     30:21 `i < 2` decides (unique-cause): T T in test 2, T F in test 2
//|
//| compared (conditions_that_decide_alone.c:35:5, tests in SCRATCH/out/test_conditions_that_decide_alone.c)
//|
//|   MC/DC 2 of 2 conditions
//|     37:17 `x > 1` decides (unique-cause): T in test 2, F in test 1
//|     38:12 `!large` decides (unique-cause): T in test 1, F in test 2
//|
//| never (conditions_that_decide_alone.c:41:5, tests in SCRATCH/out/test_conditions_that_decide_alone.c)
//|
//|   MC/DC 1 of 2 conditions, 1 infeasible
//|     43:12 `x < 5` decides (unique-cause): T T in test 1, F - in test 2
//|     43:21 `!(x > 7)` cannot decide alone: no input evaluates the decision as T F
//|
//| on_lines (conditions_that_decide_alone.c:46:5, tests in SCRATCH/out/test_conditions_that_decide_alone.c)
//|
//|   MC/DC 4 of 4 conditions
//|     48:9 `a > 4` decides (unique-cause): T F F - in test 3, F - - - in test 1
//|     49:14 `b < 2 /* or */` decides (unique-cause): T T - - in test 2, T F F - in test 3
//|     50:18 `p` decides (unique-cause): T F T T in test 5, T F F - in test 3
//|     50:23 `*p == 3` decides (unique-cause): T F T T in test 5, T F T F in test 4
//|
//| 3 checks hold (2 within bounds), 26 tests, T s
//| MC/DC 19 of 23 conditions, 4 infeasible
//| run the tests with `make -C SCRATCH/out`
