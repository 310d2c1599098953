/* Where in a string one of several characters is. */
typedef __SIZE_TYPE__ size_t;

static int is_one_of(char c, const char *set)
{
    for (; *set; set++) {
        if (*set == c)
            return 1;
    }
    return 0;
}

size_t strspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] && is_one_of(s[n], set))
        n++;
    return n;
}

size_t strcspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] && !is_one_of(s[n], set))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *set)
{
    while (*s && !is_one_of(*s, set))
        s++;
    return *s ? (char *)s : 0;
}
