/* Copying and filling. The builtins become instructions that the analysis knows, so that a whole range is one
   step where its length is known. */
typedef __SIZE_TYPE__ size_t;

void *memcpy(void *to, const void *from, size_t bytes)
{
    __builtin_memcpy(to, from, bytes);
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    __builtin_memmove(to, from, bytes);
    return to;
}

void *mempcpy(void *to, const void *from, size_t bytes)
{
    __builtin_memcpy(to, from, bytes);
    return (char *)to + bytes;
}

void bcopy(const void *from, void *to, size_t bytes)
{
    __builtin_memmove(to, from, bytes);
}

void *__memcpy_chk(void *to, const void *from, size_t bytes, size_t room)
{
    (void)room;
    __builtin_memcpy(to, from, bytes);
    return to;
}

void *__memmove_chk(void *to, const void *from, size_t bytes, size_t room)
{
    (void)room;
    __builtin_memmove(to, from, bytes);
    return to;
}

void *__mempcpy_chk(void *to, const void *from, size_t bytes, size_t room)
{
    (void)room;
    __builtin_memcpy(to, from, bytes);
    return (char *)to + bytes;
}

void *memccpy(void *to, const void *from, int last, size_t bytes)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    for (; bytes; bytes--) {
        *target++ = *source;
        if (*source++ == (unsigned char)last)
            return target;
    }
    return 0;
}
