/* Calls that fail may set errno to any number, but for memory that is used up, which has one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int entry(void)
{
    if (errno == 5)
        return 1; //@ covered
    return 0; //@ covered
}

int open_one(const char *path)
{
    errno = 0;
    int which = open(path, O_RDONLY);
    if (which < 0 && errno == EINTR)
        return 7; //@ covered
    if (which < 0 && errno == ENOENT)
        return 8; //@ covered
    return which >= 0; //@ covered
}

int stream(const char *path)
{
    errno = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        if (errno == EACCES)
            return 3; //@ covered
        return 2; //@ covered
    }
    fclose(file);
    return 0; //@ covered
}

int some(int from, char *to)
{
    errno = 0;
    if (read(from, to, 1) < 0 && errno == EAGAIN)
        return 5; //@ covered
    return 0; //@ covered
}

long lookup(const char *name, int *kind);
void prepare(void);

int find(const char *name)
{
    int kind;
    errno = 0;
    prepare();
    if (errno)
        return -4; //@ covered
    if (lookup(name, &kind) < 0) {
        if (errno == ENOENT)
            return -1; //@ covered
        if (errno == EACCES && kind == 4)
            return -2; //@ covered
        return -3; //@ covered
    }
    return 0; //@ covered
}

int allocate(void)
{
    errno = 0;
    void *object = malloc(100);
    if (!object) {
        if (errno == ENOMEM)
            return 1; //@ covered
        return 2; //@ unreachable
    }
    free(object);
    return 0; //@ covered
}
