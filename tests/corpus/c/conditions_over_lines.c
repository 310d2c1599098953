/* The operands of a condition stand where they are written: the first one runs although the last one never does. */
int positive(int n);

int last_is_dead(int a, int b)
{
    if (a > 5 //@ covered
        && a < 3
        && positive(b)) //@ unreachable
        return 1; //@ unreachable
    return 0; //@ covered
}

int first_decides(int a)
{
    int n = 4;
    if (n == 4 //@ covered
        || positive(a)) //@ unreachable
        return 1; //@ covered
    return 0; //@ unreachable
}
