/* The environment is an input: each variable is missing or has any text. */
typedef __SIZE_TYPE__ size_t;

int __footpath_any_int(void);
void *malloc(size_t size);

char *getenv(const char *name)
{
    char first = *name;
    (void)first;
    if (__footpath_any_int() < 0)
        return 0;
    /* As much as the system gives to one variable; its text ends somewhere in it. */
    long room = 131072;
    char *text = malloc(room);
    if (!text)
        return 0;
    text[room - 1] = 0;
    for (long i = 0; i + 1 < room; i++) {
        text[i] = (char)__footpath_any_int();
        if (!text[i])
            break;
    }
    return text;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}
