/* Where a condition has constants in its arms, the compiler branches on constants. */
int choose(int kind, double *to)
{
    if ((kind == 3 ? (*to = 1.0, 1) : kind == 4 ? (*to = 2.0, 1) : 0) && *to > 1.5) //@ fails null
        return 1; //@ covered
    return 0; //@ covered
}
