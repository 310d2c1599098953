/* Copies of strings into memory of the caller's. What the checked variants are told about the room is what the
   checks of the analysis know better. */
typedef __SIZE_TYPE__ size_t;

char *stpcpy(char *to, const char *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *strcpy(char *to, const char *from)
{
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *to, const char *from, size_t room)
{
    size_t n = 0;
    while (n < room && from[n]) {
        to[n] = from[n];
        n++;
    }
    for (size_t rest = n; rest < room; rest++)
        to[rest] = 0;
    return to + n;
}

char *strncpy(char *to, const char *from, size_t room)
{
    stpncpy(to, from, room);
    return to;
}

char *strcat(char *to, const char *from)
{
    char *end = to;
    while (*end)
        end++;
    stpcpy(end, from);
    return to;
}

char *strncat(char *to, const char *from, size_t most)
{
    char *end = to;
    while (*end)
        end++;
    for (; most && *from; most--)
        *end++ = *from++;
    *end = 0;
    return to;
}

char *__stpcpy_chk(char *to, const char *from, size_t room)
{
    (void)room;
    return stpcpy(to, from);
}

char *__strcpy_chk(char *to, const char *from, size_t room)
{
    (void)room;
    return strcpy(to, from);
}

char *__stpncpy_chk(char *to, const char *from, size_t most, size_t room)
{
    (void)room;
    return stpncpy(to, from, most);
}

char *__strncpy_chk(char *to, const char *from, size_t most, size_t room)
{
    (void)room;
    return strncpy(to, from, most);
}

char *__strcat_chk(char *to, const char *from, size_t room)
{
    (void)room;
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t most, size_t room)
{
    (void)room;
    return strncat(to, from, most);
}
