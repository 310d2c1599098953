/* Code that the compiler's front end drops has no block of its own and is told nevertheless. */
int early(int x)
{
    return x;
    x++;
    return x + 1;
}

int after_a_jump(int x)
{
    goto out;
    x = 5;
out:
    return x;
}

int with_a_guard(int x)
{
    if (sizeof(int) == 8)
        return x + 1;
    return x;
}

//@ run: verify
//@ exit: 0
//| warning[dead-code]: no execution reaches this, and the compiler leaves it out
//|  --> code_behind_returns.c:5:5
//|   |
//| 5 |     x++;
//|   |     ^
//|
//| warning[dead-code]: no execution reaches this, and the compiler leaves it out
//|   --> code_behind_returns.c:12:9
//|    |
//| 12 |     x = 5;
//|    |         ^
//|
//| 2 warnings
//| early
//|
//| after_a_jump
//|
//| with_a_guard
//|
//| 0 checks: 0 verified, 0 verified under assumptions, 0 unverified, 0 failing
