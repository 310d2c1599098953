/* A null pointer is no stream, and opening may fail; the streams of the system are never null. */
#include <stdio.h>

int first_byte(const char *path)
{
    if (!path)
        return 0;
    FILE *from = fopen(path, "r");
    return fgetc(from); //@ fails null
}

int first_byte_if_there(const char *path)
{
    if (!path)
        return 0;
    FILE *from = fopen(path, "r");
    if (!from)
        return -1;          //@ covered
    int byte = fgetc(from); //@ holds null
    fclose(from);           //@ holds null
    return byte;            //@ covered
}

int closed(FILE *stream)
{
    return fclose(stream); //@ fails null
}

void written(FILE *to, int n)
{
    fprintf(to, "%d\n", n); //@ fails null
}

int at_end(FILE *from)
{
    return feof(from); //@ fails null
}

int of_the_system(void)
{
    fputs("name: ", stdout); //@ holds null
    int byte = fgetc(stdin); //@ holds null
    if (byte == EOF)
        fprintf(stderr, "end\n"); //@ holds null
    return byte;                  //@ covered
}

int all_streams(void)
{
    return fflush(NULL); //@ covered
}

size_t beyond(FILE *to)
{
    char letters[4] = {'a', 'b', 'c', 'd'};
    if (!to)
        return 0;
    return fwrite(letters, 1, sizeof letters + 1, to); //@ fails bounds
}

size_t within(FILE *to)
{
    char letters[4] = {'a', 'b', 'c', 'd'};
    if (!to)
        return 0;
    return fwrite(letters, 1, sizeof letters, to); //@ holds bounds
}
