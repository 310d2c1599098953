/* Strings taken apart. */
typedef __SIZE_TYPE__ size_t;

size_t strspn(const char *s, const char *set);
size_t strcspn(const char *s, const char *set);

char *strtok_r(char *s, const char *separators, char **rest)
{
    if (!s)
        s = *rest;
    s += strspn(s, separators);
    if (!*s) {
        *rest = s;
        return 0;
    }
    char *end = s + strcspn(s, separators);
    if (*end)
        *end++ = 0;
    *rest = end;
    return s;
}

char *__strtok_r(char *s, const char *separators, char **rest)
{
    return strtok_r(s, separators, rest);
}

char *strtok(char *s, const char *separators)
{
    static char *rest;
    return strtok_r(s, separators, &rest);
}

char *strsep(char **rest, const char *separators)
{
    char *s = *rest;
    if (!s)
        return 0;
    char *end = s + strcspn(s, separators);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return s;
}
