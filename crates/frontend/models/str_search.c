/* Where in a string something is. */
typedef __SIZE_TYPE__ size_t;

char *strchr(const char *s, int wanted)
{
    for (;; s++) {
        if (*s == (char)wanted)
            return (char *)s;
        if (!*s)
            return 0;
    }
}

char *index(const char *s, int wanted)
{
    return strchr(s, wanted);
}

char *strchrnul(const char *s, int wanted)
{
    while (*s && *s != (char)wanted)
        s++;
    return (char *)s;
}

char *strrchr(const char *s, int wanted)
{
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)wanted)
            found = s;
        if (!*s)
            return (char *)found;
    }
}

char *rindex(const char *s, int wanted)
{
    return strrchr(s, wanted);
}

char *strstr(const char *s, const char *wanted)
{
    for (;; s++) {
        size_t n = 0;
        while (wanted[n] && s[n] == wanted[n])
            n++;
        if (!wanted[n])
            return (char *)s;
        if (!s[n])
            return 0;
    }
}
