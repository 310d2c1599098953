/* Arena allocation: `malloc` of the tested code takes the next bytes of one piece, which is empty again before each run.

   Nothing is freed during a run, so an access to freed memory goes unnoticed here; the compiled test says what it does. */

void *malloc(size_t size)
{
    byte *block;
    if (!S) {
        /* Before `main`, code of the system may ask for some. */
        block = size > ARENA ? 0 : map(size + 16);
        if (block)
            *(size_t *)block = size;
        return block ? block + 16 : 0;
    }
    if (size > ARENA || (size_t)(S->arena_top - S->arena_next) < size + 48)
        return 0;
    block = S->arena_next + 16;
    *(size_t *)S->arena_next = size;
    S->arena_next += (size + 47) & ~(size_t)15;
    return block;
}

void *calloc(size_t count, size_t size)
{
    size_t all;
    void *block = __builtin_mul_overflow(count, size, &all) ? 0 : malloc(all);
    return block ? memset(block, 0, all) : 0;
}

void free(void *block)
{
    (void)block;
}

void *realloc(void *old, size_t size)
{
    void *block = malloc(size);
    if (old && block) {
        size_t had = *(size_t *)((byte *)old - 16);
        memcpy(block, old, had < size ? had : size);
    }
    return block;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    byte *block = alignment < PAGE * 4 ? malloc(size + alignment + 16) : 0;
    if (!block)
        return 0;
    block += alignment - (size_t)block % (alignment ? alignment : 1);
    *(size_t *)(block - 16) = size;
    return block;
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    *to = aligned_alloc(alignment, size);
    return *to ? 0 : 12;
}

void *__wrap_malloc(size_t size) { return malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return realloc(old, size); }
