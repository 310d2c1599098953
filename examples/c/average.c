/* Averages: of nothing there is none. */

int average(const int *values, int count)
{
    int sum = 0;

    if (!values || count < 0 || count > 3)
        return -1; //@ covered
    for (int i = 0; i < count; i++)
        sum += values[i] % 1000; //@ holds overflow
    return sum / count; //@ fails division
}

unsigned power_of_two(int exponent)
{
    if (exponent > 32)
        return 0; //@ covered
    return 1u << exponent; //@ fails shift
}
