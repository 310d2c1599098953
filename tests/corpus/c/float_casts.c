/* A number that is converted to an integer has to fit it when its fraction is cut off. */
int any(double x) { return (int)x; } //@ fails float_cast

int within(double x)
{
    if (x > -2147483649.0 && x < 2147483648.0)
        return (int)x; //@ holds float_cast
    return 0;
}

int one_more(double x)
{
    if (x >= -2147483649.0 && x < 2147483648.0)
        return (int)x; //@ fails float_cast
    return 0;
}

unsigned char byte(float x)
{
    if (x > -1.0f && x < 256.0f)
        return (unsigned char)x; //@ holds float_cast
    return 0;
}

signed char small(float x)
{
    if (x >= -128.5f && x <= 128.0f)
        return (signed char)x; //@ fails float_cast
    return 0;
}

unsigned without_a_sign(double x)
{
    if (x != x)
        return (unsigned)x; //@ fails float_cast
    if (x < 0.0)
        return 1;
    if (x < 1e9)
        return (unsigned)x; //@ holds float_cast
    return 2;
}

unsigned long wide(double x)
{
    if (x >= 0 && x < 18446744073709551616.0)
        return (unsigned long)x; //@ holds float_cast
    return 0;
}

_Bool truth(double x) { return x; } //@ holds float_cast
