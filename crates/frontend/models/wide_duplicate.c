/* Copies of strings of wide characters in new memory. */
typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;

void *malloc(size_t bytes);
size_t wcslen(const wchar_t *s);

wchar_t *wcsdup(const wchar_t *s)
{
    size_t length = wcslen(s);
    wchar_t *to = malloc((length + 1) * sizeof *to);
    if (to) {
        for (size_t i = 0; i <= length; i++)
            to[i] = s[i];
    }
    return to;
}
