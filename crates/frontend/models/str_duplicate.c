/* Copies of strings in new memory. */
typedef __SIZE_TYPE__ size_t;

void *malloc(size_t bytes);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t most);

static char *copy(const char *s, size_t length)
{
    char *to = malloc(length + 1);
    if (to) {
        for (size_t i = 0; i < length; i++)
            to[i] = s[i];
        to[length] = 0;
    }
    return to;
}

char *strdup(const char *s)
{
    return copy(s, strlen(s));
}

char *__strdup(const char *s)
{
    return copy(s, strlen(s));
}

char *strndup(const char *s, size_t most)
{
    return copy(s, strnlen(s, most));
}

char *__strndup(const char *s, size_t most)
{
    return copy(s, strnlen(s, most));
}
