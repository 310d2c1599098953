/* Order of strings in which capitals are as small letters. */
typedef __SIZE_TYPE__ size_t;

/* Arithmetic instead of a branch: both letters of a pair are one path. */
static int small(char c)
{
    unsigned u = (unsigned char)c;
    return (int)(u + ((u - 'A' < 26u) << 5));
}

int strcasecmp(const char *a, const char *b)
{
    while (*a && small(*a) == small(*b)) {
        a++;
        b++;
    }
    return small(*a) - small(*b);
}

int strncasecmp(const char *a, const char *b, size_t most)
{
    for (; most; most--) {
        int difference = small(*a) - small(*b);
        if (difference)
            return difference;
        if (!*a)
            return 0;
        a++;
        b++;
    }
    return 0;
}
