/* Text taken apart by formats, as glibc does it in the C locale. */
typedef __SIZE_TYPE__ size_t;
typedef struct _IO_FILE FILE;
typedef __builtin_va_list va_list;
typedef unsigned long long number;

extern FILE *stdin;

int fgetc(FILE *from);
int ungetc(int byte, FILE *from);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
void *malloc(size_t size);
void *realloc(void *old, size_t size);

/* Where characters come from: a text, or else a stream. */
struct source { const char *text; FILE *from; int taken; };

/* A conversion. */
struct request { int suppressed, allocates, width, size, is_extended; };

/* Where a text goes. */
struct sink { char *to; size_t room, length; int allocates; };

static int take(struct source *source)
{
    int c = source->text ? (unsigned char)*source->text : fgetc(source->from);
    if (source->text)
        c = c ? (source->text++, c) : -1;
    source->taken += c >= 0;
    return c;
}

static void give_back(struct source *source, int c)
{
    if (c < 0)
        return;
    source->taken--;
    if (source->text)
        source->text--;
    else
        ungetc(c, source->from);
}

static int is_blank_character(int c)
{
    return (c == ' ') | ((unsigned)(c - '\t') < 5);
}

static int take_behind_blanks(struct source *source)
{
    int c;
    do
        c = take(source);
    while (is_blank_character(c));
    return c;
}

static unsigned digit_of(int c)
{
    unsigned figure = (unsigned)c - '0', letter = ((unsigned)c | 32u) - 'a';
    return figure < 10 ? figure : letter < 26 ? letter + 10 : 99;
}

/* A character of a number, if there may be another one. */
static int take_within(struct source *source, int *width)
{
    if (*width == 0)
        return -2;
    --*width;
    return take(source);
}

/* What is beyond the limits becomes the limit, of `long` or of `long long`. */
static number limited(number n, int over, int negative, int is_signed, int size)
{
    number most = size > (int)sizeof(long) ? (number)__LONG_LONG_MAX__ : (number)__LONG_MAX__;
    if (!is_signed) {
        most = 2 * most + 1;
        return over || n > most ? most : negative ? 0 - n : n;
    }
    if (negative)
        return over || n > most + 1 ? most + 1 : 0 - n;
    return over || n > most ? most : n;
}

static void store_integer(void *to, int size, number n)
{
    switch (size) {
    case 1: *(unsigned char *)to = (unsigned char)n; break;
    case sizeof(short): *(unsigned short *)to = (unsigned short)n; break;
    case sizeof(unsigned): *(unsigned *)to = (unsigned)n; break;
    default: *(number *)to = n;
    }
}

/* Whether there is a number; `c` is its first character. */
static int scan_integer(struct source *source, struct request *r, int c, unsigned base, int is_signed, void *to)
{
    int width = r->width ? r->width - 1 : 0x7ffffffe, negative = c == '-', digits = 0, over = 0;
    number n = 0;
    if (c == '-' || c == '+')
        c = take_within(source, &width);
    if (c == '0' && (base == 0 || base == 16)) {
        digits = 1;
        c = take_within(source, &width);
        if (c >= 0 && (c | 32) == 'x') {
            base = 16;
            c = take_within(source, &width);
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    for (; c >= 0 && digit_of(c) < base; c = take_within(source, &width)) {
        digits = 1;
        if (!over)
            over = __builtin_mul_overflow(n, (number)base, &n) || __builtin_add_overflow(n, (number)digit_of(c), &n);
    }
    give_back(source, c);
    if (digits && to)
        store_integer(to, r->size, limited(n, over, negative, is_signed, r->size));
    return digits;
}

/* The characters of a floating-point number, as far as they can be its beginning; whether they are one. */
static int scan_float(struct source *source, struct request *r, int c, void *to)
{
    char text[512];
    int width = r->width ? r->width - 1 : 0x7ffffffe, n = 0, digits = 0, point = 0, exponent = 0, hex = 0, sign;
    char *end = text;
    if (c == '-' || c == '+') {
        text[n++] = (char)c;
        c = take_within(source, &width);
    }
    sign = n;
    if (c >= 0 && ((c | 32) == 'i' || (c | 32) == 'n')) {
        const char *word = (c | 32) == 'i' ? "infinity" : "nan";
        int k = 0;
        for (; c >= 0 && word[k] && (c | 32) == word[k]; k++, c = take_within(source, &width))
            text[n++] = (char)c;
        if (k != 3 && word[k])
            n = sign;
    } else {
        for (; c >= 0 && n < 511; c = take_within(source, &width)) {
            int last = n ? text[n - 1] : 0;
            if (digit_of(c) < 10 || (hex && !exponent && digit_of(c) < 16))
                digits = 1;
            else if ((c | 32) == 'x' && n == 1 + sign && last == '0' && !hex)
                digits = 0, hex = 1;
            else if (c == '.' && !point && !exponent)
                point = 1;
            else if ((c | 32) == (hex ? 'p' : 'e') && digits && !exponent)
                exponent = 1;
            else if (!((c == '-' || c == '+') && exponent && (last | 32) == (hex ? 'p' : 'e')))
                break;
            text[n++] = (char)c;
        }
    }
    give_back(source, c);
    text[n] = 0;
    if (n == sign || (hex && n == sign + 2))
        return 0;
    if (r->size == (int)sizeof(float)) {
        float x = strtof(text, &end);
        if (to && end != text)
            *(float *)to = x;
    } else {
        double x = strtod(text, &end);
        if (to && end != text && r->is_extended)
            *(long double *)to = x;
        else if (to && end != text)
            *(double *)to = x;
    }
    return end != text;
}

static int keep(struct sink *sink, char c)
{
    if (sink->allocates && sink->length == sink->room) {
        char *bigger = realloc(sink->to, 2 * sink->room);
        if (!bigger)
            return 0;
        sink->to = bigger;
        sink->room *= 2;
    }
    if (sink->to)
        sink->to[sink->length] = c;
    sink->length++;
    return 1;
}

/* A hyphen stands for all from the character before it up to the one behind, if these are in order; else for itself. */
static int is_in_set(int c, const char *set, const char *end)
{
    const char *first = set;
    for (; set < end; set++) {
        if (*set == '-' && set > first && set + 1 < end && (unsigned char)set[-1] <= (unsigned char)set[1]) {
            if (c >= (unsigned char)set[-1] && c < (unsigned char)set[1])
                return 1;
        } else if ((unsigned char)*set == c) {
            return 1;
        }
    }
    return 0;
}

/* %c, %s and %[: how many characters there were, or -1. */
static long scan_text(struct source *source, struct request *r, int c, char kind, const char *set, const char *end, void *to)
{
    int width = r->width ? r->width : kind == 'c' ? 1 : 0x7fffffff, inverted = kind == '[' && *set == '^';
    struct sink sink = {to, 32, 0, r->allocates && to};
    if (sink.allocates && !(sink.to = malloc(32)))
        return -1;
    for (;;) {
        int belongs = kind == 's' ? !is_blank_character(c) : kind == 'c' || is_in_set(c, set + inverted, end) != inverted;
        if (c < 0 || !belongs) {
            give_back(source, c);
            break;
        }
        if (!keep(&sink, (char)c))
            return -1;
        if (--width == 0)
            break;
        c = take(source);
    }
    long length = (long)sink.length;
    if (kind != 'c' && !keep(&sink, 0))
        return -1;
    if (sink.allocates)
        *(char **)to = sink.to;
    return length;
}

static void parse_request(const char **format, struct request *r)
{
    if (**format == '*') {
        r->suppressed = 1;
        ++*format;
    }
    for (; **format >= '0' && **format <= '9'; ++*format)
        r->width = 10 * r->width + (**format - '0');
    if (**format == 'm') {
        r->allocates = 1;
        ++*format;
    }
    char c = **format;
    r->size = sizeof(int);
    r->is_extended = c == 'L';
    switch (c) {
    case 'h': case 'l':
        ++*format;
        r->size = c == 'h' ? sizeof(short) : sizeof(long);
        if (**format == c) {
            ++*format;
            r->size = c == 'h' ? 1 : sizeof(long long);
        }
        /* Of floating-point numbers l says that they are double. */
        if (c == 'l' && (**format | 32) >= 'e' && (**format | 32) <= 'g')
            r->size = sizeof(double);
        break;
    case 'q': case 'L': case 'j': ++*format; r->size = sizeof(long long); break;
    case 'z': case 'Z': case 't': ++*format; r->size = sizeof(size_t); break;
    }
}

/* Behind the set of %[, at the bracket that closes it. */
static const char *end_of_set(const char *set)
{
    set += *set == '^';
    set += *set == ']';
    while (*set && *set != ']')
        set++;
    return set;
}

struct results { va_list places; };

/* What one conversion does: 1 if it succeeds, 0 if the text does not match, -1 if the text has ended. */
static int scan_one(struct source *source, const char **format, struct results *results)
{
    struct request r = {0};
    parse_request(format, &r);
    char kind = **format;
    const char *set = ++*format;
    int c = kind == 'c' || kind == '[' ? take(source) : take_behind_blanks(source);
    if (kind == '[') {
        *format = end_of_set(set);
        const char *end = *format;
        if (**format)
            ++*format;
        if (c < 0)
            return -1;
        void *to = r.suppressed ? 0 : __builtin_va_arg(results->places, void *);
        return scan_text(source, &r, c, kind, set, end, to) > 0;
    }
    if (c < 0)
        return -1;
    void *to = r.suppressed || kind == '%' ? 0 : __builtin_va_arg(results->places, void *);
    switch (kind) {
    case '%':
        if (c == '%')
            return 1;
        give_back(source, c);
        return 0;
    case 'd': return scan_integer(source, &r, c, 10, 1, to);
    case 'i': return scan_integer(source, &r, c, 0, 1, to);
    case 'u': return scan_integer(source, &r, c, 10, 0, to);
    case 'o': return scan_integer(source, &r, c, 8, 0, to);
    case 'x': case 'X': return scan_integer(source, &r, c, 16, 0, to);
    case 'p': r.size = sizeof(void *); return scan_integer(source, &r, c, 16, 0, to);
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        return scan_float(source, &r, c, to);
    case 'c': case 's': return scan_text(source, &r, c, kind, "", "", to) > 0;
    default: give_back(source, c); return 0;
    }
}

/* Whether a conversion gives a result that counts. */
static int counts(const char *format)
{
    struct request r = {0};
    parse_request(&format, &r);
    return !r.suppressed && *format != '%';
}

static int scan(struct source *source, const char *format, va_list places)
{
    struct results results;
    int assigned = 0;
    __builtin_va_copy(results.places, places);
    while (*format) {
        if (is_blank_character(*format)) {
            give_back(source, take_behind_blanks(source));
            format++;
            continue;
        }
        if (*format != '%') {
            int c = take(source);
            if (c != (unsigned char)*format++) {
                give_back(source, c);
                return c < 0 && assigned == 0 ? -1 : assigned;
            }
            continue;
        }
        format++;
        struct request r = {0};
        const char *kind = format;
        parse_request(&kind, &r);
        if (*kind == 'n') {
            if (!r.suppressed)
                store_integer(__builtin_va_arg(results.places, void *), r.size, (number)source->taken);
            format = kind + 1;
            continue;
        }
        int counted = counts(format), done = scan_one(source, &format, &results);
        if (done <= 0)
            return done < 0 && assigned == 0 ? -1 : assigned;
        assigned += counted;
    }
    return assigned;
}

int vsscanf(const char *text, const char *format, va_list places)
{
    struct source source = {text, 0, 0};
    return scan(&source, format, places);
}

int vfscanf(FILE *from, const char *format, va_list places)
{
    struct source source = {0, from, 0};
    return scan(&source, format, places);
}

int vscanf(const char *format, va_list places)
{
    return vfscanf(stdin, format, places);
}

#define WITH_PLACES(call) \
    va_list places; \
    __builtin_va_start(places, format); \
    int assigned = call; \
    __builtin_va_end(places); \
    return assigned

int sscanf(const char *text, const char *format, ...)
{
    WITH_PLACES(vsscanf(text, format, places));
}

int fscanf(FILE *from, const char *format, ...)
{
    WITH_PLACES(vfscanf(from, format, places));
}

int scanf(const char *format, ...)
{
    WITH_PLACES(vfscanf(stdin, format, places));
}

int __isoc99_vsscanf(const char *text, const char *format, va_list places)
{
    return vsscanf(text, format, places);
}

int __isoc99_vfscanf(FILE *from, const char *format, va_list places)
{
    return vfscanf(from, format, places);
}

int __isoc99_vscanf(const char *format, va_list places)
{
    return vfscanf(stdin, format, places);
}

int __isoc99_sscanf(const char *text, const char *format, ...)
{
    WITH_PLACES(vsscanf(text, format, places));
}

int __isoc99_fscanf(FILE *from, const char *format, ...)
{
    WITH_PLACES(vfscanf(from, format, places));
}

int __isoc99_scanf(const char *format, ...)
{
    WITH_PLACES(vfscanf(stdin, format, places));
}
