/* Less usual ways to allocate, by the usual ones. Alignment needs nothing done: objects begin at offset zero. */
typedef __SIZE_TYPE__ size_t;

enum { INVALID = 22, NO_MEMORY = 12 };

void *malloc(size_t bytes);
void *realloc(void *old, size_t bytes);
int *__errno_location(void);

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        *__errno_location() = NO_MEMORY;
        return 0;
    }
    return realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    (void)alignment;
    return malloc(bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    (void)alignment;
    return malloc(bytes);
}

void *valloc(size_t bytes)
{
    return malloc(bytes);
}

int posix_memalign(void **to, size_t alignment, size_t bytes)
{
    if (alignment % sizeof(void *) || !alignment || (alignment & (alignment - 1)))
        return INVALID;
    void *made = malloc(bytes);
    if (!made)
        return NO_MEMORY;
    *to = made;
    return 0;
}
