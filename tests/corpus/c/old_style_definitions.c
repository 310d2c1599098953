/* Functions that are defined as before C89: arguments are promoted, and arrive as what they are declared. */
int compares(a, b) int a; int b;
{
    if (a > b)
        return 1; //@ covered
    return 0; //@ covered
}

int is_large(a) float a;
{
    if (a > 1.5f)
        return 1; //@ covered?
    return 0; //@ covered?
}

int both(a, b) double a; char b;
{
    if (a > 1.5 && b == 'q')
        return 1; //@ covered
    return 0; //@ covered
}

int is_minus_five(a) short a;
{
    if (a == -5)
        return 1; //@ covered
    return 0; //@ covered
}

int three()
{
    return 3; //@ covered
}
