/* Order of strings, as the difference of the first bytes that differ: any number of the right sign would be
   allowed, this one is what glibc returns. The collation of the C locale is that of bytes. */
typedef __SIZE_TYPE__ size_t;

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int strcoll(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t most)
{
    for (; most; most--) {
        if (*a != *b)
            return (unsigned char)*a - (unsigned char)*b;
        if (!*a)
            return 0;
        a++;
        b++;
    }
    return 0;
}
