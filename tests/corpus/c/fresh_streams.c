/* A stream that was just opened may be at its end, or give any byte. */
#include <assert.h>
#include <stdio.h>

int first_byte(const char *path)
{
    if (!path)
        return 0;
    FILE *from = fopen(path, "r");
    if (!from)
        return -1; //@ covered
    int c = fgetc(from);
    fclose(from);
    if (c == EOF)
        return 1; //@ covered?
    if (c == 'a')
        return 2; //@ covered?
    if (c > 255)
        return 3; //@ unreachable?
    return 4;     //@ covered?
}

void never_at_its_end(const char *path)
{
    if (!path)
        return;
    FILE *from = fopen(path, "r");
    if (!from)
        return;
    int c = fgetc(from);
    fclose(from);
    assert(c != EOF); //@ fails? assert
}

void always_at_its_end(const char *path)
{
    if (!path)
        return;
    FILE *from = fopen(path, "r");
    if (!from)
        return;
    int c = fgetc(from);
    fclose(from);
    assert(c == EOF); //@ fails? assert
}

int ends_at_once(const char *path)
{
    if (!path)
        return 0;
    FILE *from = fopen(path, "r");
    if (!from)
        return -1;
    char line[8];
    int got = fgets(line, sizeof line, from) != NULL;
    fclose(from);
    return got ? 1 : 2; //@ covered
}
