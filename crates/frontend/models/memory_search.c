/* Comparing and searching memory. The order is the difference of bytes, as glibc has it. */
typedef __SIZE_TYPE__ size_t;

int memcmp(const void *a, const void *b, size_t bytes)
{
    const unsigned char *x = a, *y = b;
    /* Both ranges are within their objects, also behind the first bytes that differ. */
    if (bytes) {
        unsigned char last = x[bytes - 1];
        last = y[bytes - 1];
    }
    for (; bytes; bytes--) {
        if (*x != *y)
            return *x - *y;
        x++;
        y++;
    }
    return 0;
}

int bcmp(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes);
}

void *memchr(const void *s, int wanted, size_t bytes)
{
    const unsigned char *p = s;
    for (; bytes; bytes--) {
        if (*p == (unsigned char)wanted)
            return (void *)p;
        p++;
    }
    return 0;
}

void *rawmemchr(const void *s, int wanted)
{
    const unsigned char *p = s;
    while (*p != (unsigned char)wanted)
        p++;
    return (void *)p;
}

void *memrchr(const void *s, int wanted, size_t bytes)
{
    const unsigned char *p = s;
    for (; bytes; bytes--) {
        if (p[bytes - 1] == (unsigned char)wanted)
            return (void *)(p + bytes - 1);
    }
    return 0;
}

void *memmem(const void *s, size_t bytes, const void *wanted, size_t length)
{
    const unsigned char *p = s, *w = wanted;
    for (; bytes >= length; bytes--) {
        size_t n = 0;
        while (n < length && p[n] == w[n])
            n++;
        if (n == length)
            return (void *)p;
        p++;
    }
    return 0;
}
