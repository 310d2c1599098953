/* Output goes nowhere, and may fail. How many characters a format makes is left open: computing it would walk
   through every text that is only printed. */
typedef __SIZE_TYPE__ size_t;
typedef struct _IO_FILE FILE;
typedef __builtin_va_list va_list;

int __footpath_answer(void);
int __footpath_success(void);
long __footpath_any_long(void);
void footpath_assume(int holds);
void __footpath_need_stream(const FILE *stream);

/* What `putc` and its kin return. */
static int written_byte(int c)
{
    return __footpath_success() | (unsigned char)c;
}

/* Texts are read at their first byte, so that a null is found. */
static void look_at(const char *text)
{
    char first = *text;
    (void)first;
}

int putchar(int c)
{
    return written_byte(c);
}

int putchar_unlocked(int c)
{
    return written_byte(c);
}

int putc(int c, FILE *to)
{
    __footpath_need_stream(to);
    return written_byte(c);
}

int _IO_putc(int c, FILE *to)
{
    __footpath_need_stream(to);
    return written_byte(c);
}

int fputc(int c, FILE *to)
{
    __footpath_need_stream(to);
    return written_byte(c);
}

int puts(const char *text)
{
    look_at(text);
    return __footpath_answer();
}

int fputs(const char *text, FILE *to)
{
    __footpath_need_stream(to);
    look_at(text);
    return __footpath_answer();
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *to)
{
    __footpath_need_stream(to);
    if (!size || !count)
        return 0;
    /* What is written is within its object. */
    look_at(from);
    look_at((const char *)from + (size * count - 1));
    size_t failed = (size_t)__footpath_success(), written = (size_t)__footpath_any_long();
    footpath_assume(written < count);
    return (written & failed) | (count & ~failed);
}

int fflush(FILE *to)
{
    (void)to;
    return __footpath_success();
}

void perror(const char *text)
{
    (void)text;
}

int printf(const char *format, ...)
{
    look_at(format);
    return __footpath_answer();
}

int fprintf(FILE *to, const char *format, ...)
{
    __footpath_need_stream(to);
    look_at(format);
    return __footpath_answer();
}

int dprintf(int to, const char *format, ...)
{
    (void)to;
    look_at(format);
    return __footpath_answer();
}

int vprintf(const char *format, va_list arguments)
{
    (void)arguments;
    look_at(format);
    return __footpath_answer();
}

int vfprintf(FILE *to, const char *format, va_list arguments)
{
    __footpath_need_stream(to);
    (void)arguments;
    look_at(format);
    return __footpath_answer();
}

int __printf_chk(int flag, const char *format, ...)
{
    (void)flag;
    look_at(format);
    return __footpath_answer();
}

int __fprintf_chk(FILE *to, int flag, const char *format, ...)
{
    __footpath_need_stream(to);
    (void)flag;
    look_at(format);
    return __footpath_answer();
}

int __vprintf_chk(int flag, const char *format, va_list arguments)
{
    (void)flag;
    return vprintf(format, arguments);
}

int __vfprintf_chk(FILE *to, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return vfprintf(to, format, arguments);
}

int putc_unlocked(int c, FILE *to)
{
    return fputc(c, to);
}

int fputc_unlocked(int c, FILE *to)
{
    return fputc(c, to);
}

int fputs_unlocked(const char *text, FILE *to)
{
    return fputs(text, to);
}

size_t fwrite_unlocked(const void *from, size_t size, size_t count, FILE *to)
{
    return fwrite(from, size, count, to);
}

int fflush_unlocked(FILE *to)
{
    return fflush(to);
}
