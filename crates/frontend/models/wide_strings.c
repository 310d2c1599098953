/* Strings of wide characters: those of str_*.c and memory_*.c, with cells of a `wchar_t`. Comparisons return -1, 0
   or 1, as glibc's do. */
typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;

size_t wcslen(const wchar_t *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t wcsnlen(const wchar_t *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (*a > *b) - (*a < *b);
}

int wcscoll(const wchar_t *a, const wchar_t *b)
{
    return wcscmp(a, b);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t most)
{
    for (; most; most--) {
        if (*a != *b)
            return (*a > *b) - (*a < *b);
        if (!*a)
            return 0;
        a++;
        b++;
    }
    return 0;
}

wchar_t *wcschr(const wchar_t *s, wchar_t wanted)
{
    for (;; s++) {
        if (*s == wanted)
            return (wchar_t *)s;
        if (!*s)
            return 0;
    }
}

wchar_t *wcschrnul(const wchar_t *s, wchar_t wanted)
{
    while (*s && *s != wanted)
        s++;
    return (wchar_t *)s;
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t wanted)
{
    const wchar_t *found = 0;
    for (;; s++) {
        if (*s == wanted)
            found = s;
        if (!*s)
            return (wchar_t *)found;
    }
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *wanted)
{
    for (;; s++) {
        size_t n = 0;
        while (wanted[n] && s[n] == wanted[n])
            n++;
        if (!wanted[n])
            return (wchar_t *)s;
        if (!s[n])
            return 0;
    }
}

size_t wcsspn(const wchar_t *s, const wchar_t *set)
{
    size_t n = 0;
    while (s[n] && wcschr(set, s[n]))
        n++;
    return n;
}

size_t wcscspn(const wchar_t *s, const wchar_t *set)
{
    size_t n = 0;
    while (s[n] && !wcschr(set, s[n]))
        n++;
    return n;
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set)
{
    s += wcscspn(s, set);
    return *s ? (wchar_t *)s : 0;
}

wchar_t *wcstok(wchar_t *s, const wchar_t *separators, wchar_t **rest)
{
    if (!s)
        s = *rest;
    if (!s)
        return 0;
    s += wcsspn(s, separators);
    if (!*s) {
        *rest = 0;
        return 0;
    }
    wchar_t *end = wcspbrk(s, separators);
    if (end)
        *end++ = 0;
    *rest = end;
    return s;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
    wcpcpy(to, from);
    return to;
}

wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t room)
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

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t room)
{
    wcpncpy(to, from, room);
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
    wcpcpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t most)
{
    wchar_t *end = to + wcslen(to);
    for (; most && *from; most--)
        *end++ = *from++;
    *end = 0;
    return to;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n)
{
    __builtin_memcpy(to, from, n * sizeof *to);
    return to;
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n)
{
    __builtin_memcpy(to, from, n * sizeof *to);
    return to + n;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
    __builtin_memmove(to, from, n * sizeof *to);
    return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t character, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = character;
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (; n; n--) {
        if (*a != *b)
            return (*a > *b) - (*a < *b);
        a++;
        b++;
    }
    return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t wanted, size_t n)
{
    for (; n; n--) {
        if (*s == wanted)
            return (wchar_t *)s;
        s++;
    }
    return 0;
}
