/* C11, 6.5.7: a number with a sign is shifted to the left only if it is not negative and the result fits. */
int positive(int r)
{
    if (r < 0 || r > 127)
        return 0;
    return r << 24; //@ holds shift
}

int any_byte(int r)
{
    if (r < 0 || r > 255)
        return 0;
    return r << 24; //@ fails shift
}

int into_the_sign(int n)
{
    int one = 1;
    if (n < 0 || n > 31)
        return 0;
    return one << n; //@ fails shift
}

int negative(int a)
{
    if (a < -4 || a > 4)
        return 0;
    return a << 1; //@ fails shift
}

unsigned without_a_sign(unsigned a) { return a << 31; } //@ holds shift
long wide(int a) { return a < 0 ? 0 : (long)a << 32; } //@ holds shift
int narrow(unsigned char a) { return a << 8; } //@ holds shift
int to_the_right(int a) { return a >> 3; } //@ holds shift
