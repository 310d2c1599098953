/* Streams for reading. Their bytes are inputs: `__footpath_input_byte` has no body, so what it returns, call by call, is
   what the streams hold, whichever is read. -1 is the end, which lasts until the stream is opened or rewound; what is
   less says which error there was. The first stream is known by itself, and the last of the others; of one that was not
   seen just before, it is an input whether it has ended. */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef struct _IO_FILE FILE;

extern FILE *stdin;

int __footpath_any_int(void);
long __footpath_any_long(void);
long __footpath_long_answer(void);
int __footpath_answer(void);
int __footpath_success(void);
int __footpath_input_byte(void);
void __footpath_need_stream(const FILE *stream);
/* Ends the life of the object. */
void __footpath_close(const FILE *stream);
void footpath_assume(int holds);
int *__errno_location(void);
void *malloc(size_t size);
void *realloc(void *old, size_t size);

enum { MOST_PUSHED = 4, NO_PLACE = 22, TRY_AGAIN = 11, LEAST_BYTE = -4096 };

struct stream { const FILE *name; _Bool ended, failed; unsigned pushed_count; unsigned char pushed[MOST_PUSHED]; };

static void start_anew(struct stream *stream)
{
    stream->ended = stream->failed = 0;
    stream->pushed_count = 0;
}

static struct stream *stream_of(const FILE *name)
{
    static struct stream first, other;
    __footpath_need_stream(name);
    struct stream *stream = !first.name || first.name == name ? &first : &other;
    if (stream->name != name) {
        stream->name = name;
        start_anew(stream);
        stream->ended = __footpath_any_int() < 0;
    }
    return stream;
}

/* No state that a stream can be in has more; proofs begin in any. */
static unsigned pushed_back(const struct stream *stream)
{
    return stream->pushed_count <= MOST_PUSHED ? stream->pushed_count : 0;
}

static int next_byte(const FILE *from)
{
    struct stream *stream = stream_of(from);
    unsigned pushed = pushed_back(stream);
    if (pushed) {
        stream->pushed_count = pushed - 1;
        return stream->pushed[pushed - 1];
    }
    if (stream->ended)
        return -1;
    int byte = __footpath_input_byte();
    footpath_assume((byte >= LEAST_BYTE) & (byte <= 255));
    if (byte >= 0)
        return byte;
    stream->ended = byte == -1;
    if (byte < -1) {
        stream->failed = 1;
        *__errno_location() = -1 - byte;
    }
    return -1;
}

#ifndef FOOTPATH_STREAM_OPENED
#define FOOTPATH_STREAM_OPENED(stream)
#endif

/* A stream, if opening it succeeds. Nothing is ever read from the object. */
static FILE *opened(void)
{
    if (__footpath_success())
        return 0;
    FILE *stream = malloc(16);
    if (stream) {
        FOOTPATH_STREAM_OPENED(stream);
        start_anew(stream_of(stream));
    }
    return stream;
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
    if (__footpath_success())
        return 0;
    start_anew(stream_of(old));
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
    __footpath_need_stream(from);
    __footpath_close(from);
    return __footpath_success();
}

int pclose(FILE *from)
{
    __footpath_need_stream(from);
    __footpath_close(from);
    return __footpath_any_int();
}

int feof(FILE *from)
{
    return stream_of(from)->ended;
}

/* Writing may have failed, too. */
int ferror(FILE *from)
{
    return stream_of(from)->failed | (__footpath_any_int() < 0);
}

void clearerr(FILE *from)
{
    struct stream *stream = stream_of(from);
    stream->ended = stream->failed = 0;
}

void rewind(FILE *from)
{
    start_anew(stream_of(from));
}

int fseek(FILE *from, long offset, int whence)
{
    (void)offset;
    (void)whence;
    __footpath_need_stream(from);
    if (__footpath_success())
        return -1;
    struct stream *stream = stream_of(from);
    stream->ended = 0;
    stream->pushed_count = 0;
    return 0;
}

long ftell(FILE *from)
{
    __footpath_need_stream(from);
    return __footpath_long_answer();
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
    __footpath_need_stream(from);
    return __footpath_answer();
}

int setvbuf(FILE *from, char *buffer, int mode, size_t size)
{
    __footpath_need_stream(from);
    (void)buffer;
    (void)mode;
    (void)size;
    return __footpath_success();
}

void setbuf(FILE *from, char *buffer)
{
    __footpath_need_stream(from);
    (void)buffer;
}

void setbuffer(FILE *from, char *buffer, size_t size)
{
    __footpath_need_stream(from);
    (void)buffer;
    (void)size;
}

void setlinebuf(FILE *from)
{
    __footpath_need_stream(from);
}

void flockfile(FILE *from)
{
    __footpath_need_stream(from);
}

void funlockfile(FILE *from)
{
    __footpath_need_stream(from);
}

int getchar(void)
{
    return next_byte(stdin);
}

int getchar_unlocked(void)
{
    return next_byte(stdin);
}

int getc(FILE *from)
{
    return next_byte(from);
}

int getc_unlocked(FILE *from)
{
    return next_byte(from);
}

int _IO_getc(FILE *from)
{
    return next_byte(from);
}

int fgetc(FILE *from)
{
    return next_byte(from);
}

int fgetc_unlocked(FILE *from)
{
    return next_byte(from);
}

int ungetc(int byte, FILE *from)
{
    struct stream *stream = stream_of(from);
    unsigned pushed = pushed_back(stream);
    if (byte == -1 || pushed == MOST_PUSHED)
        return -1;
    stream->pushed[pushed] = (unsigned char)byte;
    stream->pushed_count = pushed + 1;
    stream->ended = 0;
    return (unsigned char)byte;
}

/* What was read before an error is given only if it may pass. */
char *fgets(char *to, int room, FILE *from)
{
    int n = 0;
    if (room <= 0)
        return 0;
    while (n < room - 1) {
        int byte = next_byte(from);
        if (byte < 0) {
            if (n == 0 || (stream_of(from)->failed && *__errno_location() != TRY_AGAIN))
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
    while ((byte = next_byte(stdin)) >= 0 && byte != '\n')
        to[n++] = (char)byte;
    if (byte < 0 && n == 0)
        return 0;
    to[n] = 0;
    return to;
}

size_t fread(void *to, size_t size, size_t count, FILE *from)
{
    char *p = to;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < size; k++) {
            int byte = next_byte(from);
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
    size_t n = 0;
    if (!line || !room) {
        *__errno_location() = NO_PLACE;
        return -1;
    }
    if (!*line || *room < 16) {
        char *bigger = realloc(*line, 16);
        if (!bigger)
            return -1;
        *line = bigger;
        *room = 16;
    }
    for (;;) {
        int byte = next_byte(from);
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
