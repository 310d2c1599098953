/* Sorting by insertion: few branches, no second array, stable. How elements that compare equal come to lie, and
   how often the comparison is called, is the library's choice, and not always this one; so proofs do without. */
typedef __SIZE_TYPE__ size_t;

static void exchange(char *a, char *b, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        char byte = a[k];
        a[k] = b[k];
        b[k] = byte;
    }
}

/* All elements are within their object, whatever the comparison says. */
static void look_at_last(const char *first, size_t bytes)
{
    if (bytes) {
        char last = first[bytes - 1];
        (void)last;
    }
}

void qsort(void *base, size_t count, size_t size, int (*order)(const void *, const void *))
{
    char *first = base;
    look_at_last(first, count * size);
    for (size_t i = 1; i < count; i++) {
        for (char *p = first + i * size; p > first && order(p - size, p) > 0; p -= size)
            exchange(p - size, p, size);
    }
}

void qsort_r(void *base, size_t count, size_t size, int (*order)(const void *, const void *, void *), void *more)
{
    char *first = base;
    look_at_last(first, count * size);
    for (size_t i = 1; i < count; i++) {
        for (char *p = first + i * size; p > first && order(p - size, p, more) > 0; p -= size)
            exchange(p - size, p, size);
    }
}
