/* No test hands `next_line` a pointer to a text as its `void *`, nor `parse` a reader that fills its buffer. `parse_text` makes both. */
#include <string.h>

typedef char *(*reader)(char *line, int size, void *stream);

int parse(reader read, void *stream)
{
    char line[16];
    int keys = 0;
    while (read(line, sizeof line, stream)) {
        if (line[0] == '#')
            continue; //@ covered
        if (!strchr(line, '='))
            return -1; //@ covered
        keys += memcmp(line, "key=", 4) == 0;
    }
    if (keys)
        return keys; //@ covered
    return 0; //@ covered
}

static char *next_line(char *line, int size, void *stream)
{
    const char **text = stream;
    int n = 0;
    if (!**text)
        return NULL; //@ covered
    while (n < size - 1 && **text && **text != '\n')
        line[n++] = *(*text)++; //@ covered
    line[n] = 0;
    if (**text)
        (*text)++; //@ covered
    return line; //@ covered
}

int parse_text(const char *text)
{
    return parse(next_line, &text);
}

//@ ask: test --timeout 6
