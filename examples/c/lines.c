/* A tally of a file's lines. What the file holds, whether it opens and what the environment says are inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts lines that are not empty; -1 if the file does not open, -2 if closing it fails. */
int tally(const char *name)
{
    FILE *file = fopen(name, "r");
    int byte, before = '\n', lines = 0;

    if (!file)
        return -1; //@ covered
    while ((byte = fgetc(file)) != EOF) {
        if (byte == '\n' && before != '\n')
            lines++; //@ covered
        before = byte;
    }
    if (fclose(file) != 0)
        return -2; //@ covered
    return lines; //@ covered
}

/* How much to say, by the environment. */
int verbosity(void)
{
    const char *level = getenv("TALLY");

    if (!level)
        return 1; //@ covered
    if (strcmp(level, "no") == 0)
        return 0; //@ covered
    if (level[0] == 'y')
        return 2; //@ covered
    return 1; //@ covered
}

/* Whether standard input starts as it should. */
int has_magic(void)
{
    char start[4];

    if (fread(start, 1, sizeof start, stdin) < sizeof start)
        return 0; //@ covered
    return memcmp(start, "FP1\n", sizeof start) == 0; //@ covered
}
