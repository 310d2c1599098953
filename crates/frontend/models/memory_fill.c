/* Filling. See memory_copy.c about the builtins. */
typedef __SIZE_TYPE__ size_t;

void *memset(void *to, int byte, size_t bytes)
{
    __builtin_memset(to, byte, bytes);
    return to;
}

void *__memset_chk(void *to, int byte, size_t bytes, size_t room)
{
    (void)room;
    __builtin_memset(to, byte, bytes);
    return to;
}

void bzero(void *to, size_t bytes)
{
    __builtin_memset(to, 0, bytes);
}

void explicit_bzero(void *to, size_t bytes)
{
    __builtin_memset(to, 0, bytes);
}
