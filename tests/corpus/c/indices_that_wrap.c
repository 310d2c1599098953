/* An index is beyond its array even where the offset of the element wraps to one inside. */
int table[2] = {1, 2};

int of_a_local(unsigned long i)
{
    int own[2] = {1, 2};
    if (i != 1UL << 63)
        return 0;
    return own[i]; //@ fails bounds
}

int of_a_variable(long i)
{
    if (i > 1)
        return 0;
    return table[i]; //@ fails bounds
}

int with_high_bits(unsigned long i)
{
    i = (i & 1) | (i & 3UL << 62);
    table[i] = 3; //@ fails bounds
    return 0;
}

struct entry { int key, value; } entries[2];

int of_a_part(unsigned long i)
{
    if (i != 1UL << 63)
        return 0;
    return entries[i].value; //@ fails bounds
}

int masked(unsigned long i)
{
    return table[i & 1]; //@ holds bounds
}
