/* Binary search; among several that fit it finds the one that glibc finds. */
typedef __SIZE_TYPE__ size_t;

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*order)(const void *, const void *))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *p = (const char *)base + middle * size;
        int sign = order(key, p);
        if (!sign)
            return (void *)p;
        if (sign < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
