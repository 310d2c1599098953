/* Copies that say how much room they would have liked. */
typedef __SIZE_TYPE__ size_t;

size_t strlcpy(char *to, const char *from, size_t room)
{
    size_t n = 0;
    for (; from[n]; n++) {
        if (n + 1 < room)
            to[n] = from[n];
    }
    if (room)
        to[n < room ? n : room - 1] = 0;
    return n;
}

size_t strlcat(char *to, const char *from, size_t room)
{
    size_t had = 0;
    while (had < room && to[had])
        had++;
    return had + strlcpy(to + had, from, room - had);
}
