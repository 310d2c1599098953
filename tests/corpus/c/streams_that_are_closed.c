/* A stream that was closed is none any more: using it, and closing it once more, is a use after its life. */
#include <stdio.h>

int read_behind(const char *path)
{
    if (!path)
        return 0;
    FILE *from = fopen(path, "r");
    if (!from)
        return -1; //@ covered
    fclose(from);  //@ holds closed_stream
    return fgetc(from); //@ fails closed_stream
}

int closed_twice(const char *path, int twice)
{
    if (!path)
        return 0;
    FILE *from = fopen(path, "w");
    if (!from)
        return -1;
    if (twice)
        fclose(from); //@ holds closed_stream
    return fclose(from); //@ fails closed_stream
}

int two_streams(const char *path)
{
    if (!path)
        return 0;
    FILE *a = fopen(path, "r");
    FILE *b = fopen(path, "r");
    if (!a || !b)
        return -1;
    fclose(a);
    int byte = fgetc(b); //@ holds closed_stream
    fclose(b);           //@ holds closed_stream
    return byte;         //@ covered
}

void written_behind(const char *path)
{
    if (!path)
        return;
    FILE *to = fopen(path, "w");
    if (!to)
        return;
    fputs("text", to); //@ holds closed_stream
    fclose(to);
    fprintf(to, "%d", 1); //@ fails closed_stream
}

static void done(FILE *from)
{
    if (from)
        fclose(from);
}

int closed_by_a_callee(FILE *from)
{
    if (!from)
        return 0;
    done(from);
    return feof(from); //@ fails closed_stream
}

int opened_again(const char *path)
{
    if (!path)
        return 0;
    for (int i = 0; i < 2; i++) {
        FILE *from = fopen(path, "r");
        if (!from)
            return -1;
        fgetc(from);  //@ holds closed_stream
        fclose(from); //@ holds closed_stream
    }
    return 1; //@ covered 2
}
