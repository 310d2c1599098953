/* Streams for reading. All of them are one, whose bytes are inputs: `__footpath_input_byte` has no body, so what it
   returns, call by call, is what the streams hold; -1 is the end, which lasts until a stream is opened or rewound. */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef struct _IO_FILE FILE;

int __footpath_any_int(void);
long __footpath_any_long(void);
int __footpath_input_byte(void);
void footpath_assume(int holds);
void *malloc(size_t size);
void *realloc(void *old, size_t size);

struct stream { _Bool has_pushed, ended, failed; unsigned char pushed; };

static struct stream *the_stream(void)
{
    static struct stream stream;
    return &stream;
}

static int next_byte(void)
{
    struct stream *stream = the_stream();
    if (stream->has_pushed) {
        stream->has_pushed = 0;
        return stream->pushed;
    }
    if (stream->ended)
        return -1;
    int byte = __footpath_input_byte();
    footpath_assume((byte >= -1) & (byte <= 255));
    if (byte < 0)
        stream->ended = 1;
    return byte;
}

static void start_anew(void)
{
    struct stream *stream = the_stream();
    stream->has_pushed = stream->ended = stream->failed = 0;
}

/* A stream, if opening it succeeds. Nothing is ever read from the object. */
static FILE *opened(void)
{
    if (__footpath_any_int() < 0)
        return 0;
    start_anew();
    return malloc(16);
}

FILE *fopen(const char *path, const char *mode)
{
    char first = *path, how = *mode;
    (void)first;
    (void)how;
    return opened();
}

FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

FILE *fdopen(int from, const char *mode)
{
    (void)from;
    (void)mode;
    return opened();
}

FILE *freopen(const char *path, const char *mode, FILE *old)
{
    (void)path;
    (void)mode;
    if (__footpath_any_int() < 0)
        return 0;
    start_anew();
    return old;
}

FILE *tmpfile(void)
{
    return opened();
}

FILE *popen(const char *command, const char *mode)
{
    return fopen(command, mode);
}

FILE *freopen64(const char *path, const char *mode, FILE *old)
{
    return freopen(path, mode, old);
}

FILE *tmpfile64(void)
{
    return opened();
}

int fclose(FILE *from)
{
    (void)from;
    return __footpath_any_int() < 0 ? -1 : 0;
}

int pclose(FILE *from)
{
    (void)from;
    return __footpath_any_int();
}

int feof(FILE *from)
{
    (void)from;
    return the_stream()->ended;
}

int ferror(FILE *from)
{
    (void)from;
    return __footpath_any_int() < 0;
}

void clearerr(FILE *from)
{
    (void)from;
    the_stream()->ended = 0;
}

void rewind(FILE *from)
{
    (void)from;
    start_anew();
}

int fseek(FILE *from, long offset, int whence)
{
    (void)from;
    (void)offset;
    (void)whence;
    if (__footpath_any_int() < 0)
        return -1;
    start_anew();
    return 0;
}

long ftell(FILE *from)
{
    (void)from;
    long at = __footpath_any_long();
    footpath_assume(at >= -1);
    return at;
}

int fseeko(FILE *from, long offset, int whence)
{
    return fseek(from, offset, whence);
}

int fseeko64(FILE *from, long long offset, int whence)
{
    return fseek(from, (long)offset, whence);
}

long ftello(FILE *from)
{
    return ftell(from);
}

long long ftello64(FILE *from)
{
    return ftell(from);
}

int fileno(FILE *from)
{
    (void)from;
    int number = __footpath_any_int();
    footpath_assume(number >= -1);
    return number;
}

int setvbuf(FILE *from, char *buffer, int mode, size_t size)
{
    (void)from;
    (void)buffer;
    (void)mode;
    (void)size;
    return __footpath_any_int() < 0 ? -1 : 0;
}

void setbuf(FILE *from, char *buffer)
{
    (void)from;
    (void)buffer;
}

void setbuffer(FILE *from, char *buffer, size_t size)
{
    (void)from;
    (void)buffer;
    (void)size;
}

void setlinebuf(FILE *from)
{
    (void)from;
}

void flockfile(FILE *from)
{
    (void)from;
}

void funlockfile(FILE *from)
{
    (void)from;
}

int getchar(void)
{
    return next_byte();
}

int getchar_unlocked(void)
{
    return next_byte();
}

int getc(FILE *from)
{
    (void)from;
    return next_byte();
}

int getc_unlocked(FILE *from)
{
    (void)from;
    return next_byte();
}

int _IO_getc(FILE *from)
{
    (void)from;
    return next_byte();
}

int fgetc(FILE *from)
{
    (void)from;
    return next_byte();
}

int fgetc_unlocked(FILE *from)
{
    (void)from;
    return next_byte();
}

int ungetc(int byte, FILE *from)
{
    (void)from;
    struct stream *stream = the_stream();
    if (byte < 0 || stream->has_pushed)
        return -1;
    stream->has_pushed = 1;
    stream->pushed = (unsigned char)byte;
    stream->ended = 0;
    return stream->pushed;
}

char *fgets(char *to, int room, FILE *from)
{
    (void)from;
    int n = 0;
    if (room <= 0)
        return 0;
    while (n < room - 1) {
        int byte = next_byte();
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

char *gets(char *to)
{
    int n = 0, byte;
    while ((byte = next_byte()) >= 0 && byte != '\n')
        to[n++] = (char)byte;
    if (byte < 0 && n == 0)
        return 0;
    to[n] = 0;
    return to;
}

size_t fread(void *to, size_t size, size_t count, FILE *from)
{
    (void)from;
    char *p = to;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < size; k++) {
            int byte = next_byte();
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

ssize_t getdelim(char **line, size_t *room, int last, FILE *from)
{
    (void)from;
    size_t n = 0;
    if (!*line || *room < 16) {
        char *bigger = realloc(*line, 16);
        if (!bigger)
            return -1;
        *line = bigger;
        *room = 16;
    }
    for (;;) {
        int byte = next_byte();
        if (byte < 0)
            break;
        if (n + 2 > *room) {
            char *bigger = realloc(*line, 2 * *room);
            if (!bigger)
                return -1;
            *line = bigger;
            *room *= 2;
        }
        (*line)[n++] = (char)byte;
        if (byte == last)
            break;
    }
    if (n == 0)
        return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t __getdelim(char **line, size_t *room, int last, FILE *from)
{
    return getdelim(line, room, last, from);
}

ssize_t getline(char **line, size_t *room, FILE *from)
{
    return getdelim(line, room, '\n', from);
}

int feof_unlocked(FILE *from)
{
    return feof(from);
}

int ferror_unlocked(FILE *from)
{
    return ferror(from);
}

void clearerr_unlocked(FILE *from)
{
    clearerr(from);
}

char *fgets_unlocked(char *to, int room, FILE *from)
{
    return fgets(to, room, from);
}

size_t fread_unlocked(void *to, size_t size, size_t count, FILE *from)
{
    return fread(to, size, count, from);
}
