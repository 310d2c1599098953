/* Input, a byte at a time: `__footpath_input_byte` has no body, so what it returns is an input of the test. Read in
   the order of the calls, its results are what the streams hold: -1 for the end. */
typedef __SIZE_TYPE__ size_t;
typedef struct _IO_FILE FILE;

int __footpath_input_byte(void);
void footpath_assume(int holds);

static int next(void)
{
    int byte = __footpath_input_byte();
    footpath_assume((byte >= -1) & (byte <= 255));
    return byte;
}

int getchar(void)
{
    return next();
}

int getchar_unlocked(void)
{
    return next();
}

int getc(FILE *from)
{
    (void)from;
    return next();
}

int _IO_getc(FILE *from)
{
    (void)from;
    return next();
}

int fgetc(FILE *from)
{
    (void)from;
    return next();
}

char *fgets(char *to, int room, FILE *from)
{
    (void)from;
    int n = 0;
    if (room <= 0)
        return 0;
    while (n < room - 1) {
        int byte = next();
        if (byte < 0) {
            if (n == 0)
                return 0;
            break;
        }
        to[n++] = (char)byte;
        if (byte == '\n')
            break;
    }
    to[n] = 0;
    return to;
}

char *__fgets_chk(char *to, size_t size, int room, FILE *from)
{
    (void)size;
    return fgets(to, room, from);
}

size_t fread(void *to, size_t size, size_t count, FILE *from)
{
    (void)from;
    char *p = to;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < size; k++) {
            int byte = next();
            if (byte < 0)
                return i;
            *p++ = (char)byte;
        }
    }
    return size ? count : 0;
}

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *from)
{
    (void)room;
    return fread(to, size, count, from);
}
