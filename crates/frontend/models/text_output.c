/* Text made by formats, as glibc makes it in the C locale. The digits of floating-point numbers and of addresses are
   inputs: their number and their places are those of the real text, their values are any. Tests are linked with this
   text, so they see the same digits. */
typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list va_list;
typedef unsigned long long number;

unsigned char __footpath_any_1(void);
int __footpath_any_int(void);
void footpath_assume(int holds);
int *__errno_location(void);
char *strerror(int error);
void *malloc(size_t size);
void *realloc(void *old, size_t size);

enum { NOT_REPRESENTABLE = 75, NO_LIMIT = 0x7fffffff };
/* Positions of arguments: none, as the format has the number; the next one; and from 1 on by number. */
enum { NONE = -1, NEXT = 0 };

/* Where text goes, with room for so many bytes beside the last zero; `grows` if it is allocated as needed. */
struct target { char *to; size_t room, length; int grows, failed; };

/* A conversion: %-08.3lx, or %2$-*1$lx, whose argument is the second one, and its width the first. Without a precision that is -1. */
struct conversion {
    int left, plus, space, other, zeros, width, precision, size, is_long, is_extended;
    int argument, width_argument, precision_argument;
    char kind;
};

static void put(struct target *t, char c)
{
    if (t->grows && t->length == t->room && !t->failed) {
        char *bigger = realloc(t->to, 2 * t->room + 1);
        if (bigger) {
            t->to = bigger;
            t->room = 2 * t->room;
        } else {
            t->failed = 1;
        }
    }
    if (t->length < t->room)
        t->to[t->length] = c;
    t->length++;
}

static void put_many(struct target *t, char c, long count)
{
    for (; count > 0; count--)
        put(t, c);
}

/* What stands in front of digits: a sign, 0x, the zeros or blanks that fill the width. */
static void put_head(struct target *t, struct conversion *c, char sign, const char *prefix, long digits, int zeros)
{
    long filled = c->width - digits - (sign != 0);
    for (const char *p = prefix; *p; p++)
        filled--;
    if (!c->left && !zeros)
        put_many(t, ' ', filled);
    if (sign)
        put(t, sign);
    for (; *prefix; prefix++)
        put(t, *prefix);
    if (!c->left && zeros)
        put_many(t, '0', filled);
    /* What is left to be put behind the digits. */
    c->width = c->left && filled > 0 ? (int)filled : 0;
}

static char sign_of(struct conversion *c, int negative)
{
    return negative ? '-' : c->plus ? '+' : c->space ? ' ' : 0;
}

/* Digits are counted by comparing, so that how many there are is asked without a division. */
static void put_decimal(struct target *t, struct conversion *c, number n, char sign)
{
    number unit = 1;
    int digits = n != 0 || c->precision != 0;
    for (; digits > 0 && digits < 20 && n >= 10 * unit; unit *= 10)
        digits++;
    long zeros = c->precision > digits ? c->precision - digits : 0;
    put_head(t, c, sign, "", zeros + digits, c->zeros && c->precision < 0);
    put_many(t, '0', zeros);
    for (; digits > 0; digits--, unit /= 10)
        put(t, (char)('0' + n / unit % 10));
    put_many(t, ' ', c->width);
}

/* Octal, hexadecimal and binary digits. */
static void put_bits(struct target *t, struct conversion *c, number n, int shift, int letters, const char *prefix)
{
    int digits = n != 0 || c->precision != 0;
    while (digits * shift < 64 && n >> (digits * shift) != 0)
        digits++;
    long zeros = c->precision > digits ? c->precision - digits : 0;
    /* An octal number with # begins with a zero. */
    if (shift == 3 && c->other && zeros == 0 && (n != 0 || digits == 0))
        zeros = 1;
    put_head(t, c, 0, n != 0 && c->other ? prefix : "", zeros + digits, c->zeros && c->precision < 0);
    put_many(t, '0', zeros);
    while (digits-- > 0) {
        unsigned digit = (unsigned)(n >> (digits * shift)) & ((1u << shift) - 1);
        put(t, (char)('0' + digit + (digit > 9) * (unsigned)(letters - '0' - 10)));
    }
    put_many(t, ' ', c->width);
}

static void put_text(struct target *t, struct conversion *c, const char *text)
{
    long length = 0;
    if (!text)
        text = c->precision < 0 || c->precision >= 6 ? "(null)" : "";
    while ((c->precision < 0 || length < c->precision) && text[length])
        length++;
    put_head(t, c, 0, "", length, 0);
    for (long i = 0; i < length; i++)
        put(t, text[i]);
    put_many(t, ' ', c->width);
}

/* Wide characters are those of the C locale: ASCII. */
static void put_wide(struct target *t, struct conversion *c, const int *text)
{
    long length = 0;
    if (!text) {
        put_text(t, c, 0);
        return;
    }
    while ((c->precision < 0 || length < c->precision) && text[length]) {
        if ((unsigned)text[length] > 127)
            t->failed = 1;
        length++;
    }
    put_head(t, c, 0, "", length, 0);
    for (long i = 0; i < length; i++)
        put(t, (char)text[i]);
    put_many(t, ' ', c->width);
}

static int some_count(int least, int most)
{
    int n = __footpath_any_int();
    footpath_assume((n >= least) & (n <= most));
    return n;
}

static void put_any_digits(struct target *t, long count)
{
    for (; count > 0; count--) {
        unsigned digit = __footpath_any_1();
        footpath_assume(digit < 10);
        put(t, (char)('0' + digit));
    }
}

/* An address: null is told apart. */
static void put_address(struct target *t, struct conversion *c, void *p)
{
    if (!p) {
        c->precision = -1;
        put_text(t, c, "(nil)");
        return;
    }
    int digits = some_count(1, 2 * sizeof p);
    char sign = sign_of(c, 0);
    long zeros = c->precision > digits ? c->precision - digits : 0;
    put_head(t, c, sign, "0x", zeros + digits, c->zeros && c->precision < 0);
    put_many(t, '0', zeros);
    while (digits-- > 0) {
        unsigned digit = __footpath_any_1();
        footpath_assume(digit < 16);
        put(t, (char)('0' + digit + (digit > 9) * ('a' - '0' - 10)));
    }
    put_many(t, ' ', c->width);
}

/* %e: one digit, a point, the others, and an exponent of two or three digits. */
static void put_exponent(struct target *t, struct conversion *c, char sign, int fraction, int point, int upper)
{
    int exponent = some_count(2, 3);
    put_head(t, c, sign, "", 1 + point + fraction + 2 + exponent, c->zeros);
    put_any_digits(t, 1);
    put_many(t, '.', point);
    put_any_digits(t, fraction);
    put(t, upper ? 'E' : 'e');
    put(t, __footpath_any_int() < 0 ? '-' : '+');
    put_any_digits(t, exponent);
}

/* %a: exact, as the bits say it. */
static void put_hexadecimal(struct target *t, struct conversion *c, char sign, number bits, int upper)
{
    int exponent = (int)(bits >> 52) & 2047, letters = upper ? 'A' : 'a', digits = 13;
    number fraction = bits & 0xfffffffffffffull, first = exponent != 0;
    exponent = exponent ? exponent - 1023 : fraction ? -1022 : 0;
    if (c->precision < 0) {
        for (; digits > 0 && (fraction & 15) == 0; digits--)
            fraction >>= 4;
    } else if (c->precision < 13) {
        digits = c->precision;
        int cut = 4 * (13 - digits);
        number whole = first << 52 | fraction, rest = whole & (((number)1 << cut) - 1), half = (number)1 << (cut - 1);
        whole >>= cut;
        whole += rest > half || (rest == half && (whole & 1));
        first = whole >> 4 * digits;
        fraction = whole & (((number)1 << 4 * digits) - 1);
    }
    int zeros = c->precision > 13 ? c->precision - 13 : 0, point = digits + zeros > 0 || c->other;
    int absolute = exponent < 0 ? -exponent : exponent;
    int places = 1 + (absolute >= 10) + (absolute >= 100) + (absolute >= 1000);
    put_head(t, c, sign, upper ? "0X" : "0x", 1 + point + digits + zeros + 2 + places, c->zeros);
    put(t, (char)('0' + first));
    put_many(t, '.', point);
    while (digits-- > 0) {
        unsigned digit = (unsigned)(fraction >> 4 * digits) & 15;
        put(t, (char)('0' + digit + (digit > 9) * (unsigned)(letters - '0' - 10)));
    }
    put_many(t, '0', zeros);
    put(t, upper ? 'P' : 'p');
    put(t, exponent < 0 ? '-' : '+');
    struct conversion plain = {.precision = -1};
    put_decimal(t, &plain, (number)absolute, 0);
}

/* The number of digits in front of the point of a number from 1, which at a power of ten depends on how it is rounded. */
static int whole_digits(double x)
{
    static const double powers[16] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    union { double x; number bits; } as = {x};
    /* 78913 / 2^18 is the logarithm of two: of 2^e and of 2^(e+1). */
    int exponent = (int)(as.bits >> 52) - 1023;
    int least = (exponent * 78913 >> 18) + 1, most = ((exponent + 1) * 78913 >> 18) + 1;
    if (least < most && least < 16) {
        if (x >= powers[least])
            least = most;
        else if (x < powers[least] - 1)
            most = least;
    }
    return some_count(least, most);
}

static void put_float(struct target *t, struct conversion *c, double x, char kind)
{
    union { double x; number bits; } as = {x};
    char sign = sign_of(c, as.bits >> 63 != 0);
    number bits = as.bits << 1 >> 1, all = (number)2047 << 52;
    int upper = kind < 'a', lower = kind | 32;
    int precision = c->precision < 0 ? 6 : c->precision;
    if (bits >= all) {
        const char *text = bits > all ? upper ? "NAN" : "nan" : upper ? "INF" : "inf";
        put_head(t, c, sign, "", 3, 0);
        for (int i = 0; i < 3; i++)
            put(t, text[i]);
    } else if (lower == 'a') {
        put_hexadecimal(t, c, sign, bits, upper);
    } else if (lower == 'f') {
        int whole = x > -1 && x < 1 ? 1 : whole_digits(x < 0 ? -x : x), point = precision > 0 || c->other;
        put_head(t, c, sign, "", (long)whole + point + precision, c->zeros);
        put_any_digits(t, whole);
        put_many(t, '.', point);
        put_any_digits(t, precision);
    } else if (lower == 'e') {
        put_exponent(t, c, sign, precision, precision > 0 || c->other, upper);
    } else {
        /* %g: as %e or as %f, with as many digits as there are, but no zeros at the end. */
        precision += precision == 0;
        int digits = c->other ? precision : some_count(1, precision);
        if (__footpath_any_int() < 0) {
            put_exponent(t, c, sign, digits - 1, digits > 1 || c->other, upper);
        } else if (x > -1 && x < 1 && x != 0 && __footpath_any_int() < 0) {
            int zeros = some_count(0, 3);
            put_head(t, c, sign, "", 2 + zeros + digits, c->zeros);
            put(t, '0');
            put(t, '.');
            put_many(t, '0', zeros);
            put_any_digits(t, digits);
        } else {
            int whole = some_count(1, precision), point = whole < digits || c->other;
            digits = digits > whole ? digits : whole;
            put_head(t, c, sign, "", digits + point, c->zeros);
            put_any_digits(t, whole);
            put_many(t, '.', point);
            put_any_digits(t, digits - whole);
        }
    }
    put_many(t, ' ', c->width);
}

/* A number in a format, at least 0; what is too large is no width. */
static int parse_number(const char **format)
{
    long n = 0;
    for (; **format >= '0' && **format <= '9'; ++*format)
        n = n >= NO_LIMIT / 10 ? NO_LIMIT : 10 * n + (**format - '0');
    return (int)n;
}

static void parse_flags(const char **format, struct conversion *c)
{
    for (;; ++*format) {
        switch (**format) {
        case '-': c->left = 1; break;
        case '+': c->plus = 1; break;
        case ' ': c->space = 1; break;
        case '#': c->other = 1; break;
        case '0': c->zeros = 1; break;
        case '\'': case 'I': break;
        default: return;
        }
    }
}

/* Bytes of an integer. */
static int parse_size(const char **format, struct conversion *c)
{
    char size = **format;
    c->is_extended = size == 'L';
    switch (size) {
    case 'h': case 'l':
        ++*format;
        c->is_long = size == 'l';
        if (**format != size)
            return size == 'h' ? (int)sizeof(short) : (int)sizeof(long);
        ++*format;
        return size == 'h' ? 1 : (int)sizeof(long long);
    case 'q': case 'L': case 'j': ++*format; return sizeof(long long);
    case 'z': case 'Z': case 't': ++*format; return sizeof(size_t);
    default: return sizeof(int);
    }
}

/* The position of an argument: 2 of "2$", otherwise the next one. */
static int parse_position(const char **format)
{
    const char *at = *format;
    int n = parse_number(&at);
    if (n == 0 || *at != '$')
        return NEXT;
    *format = at + 1;
    return n;
}

/* A number, or the argument that it is. */
static int parse_amount(const char **format, int *argument)
{
    *argument = NONE;
    if (**format != '*')
        return parse_number(format);
    ++*format;
    *argument = parse_position(format);
    return -1;
}

/* What stands behind a percent sign. */
static struct conversion parse(const char **format)
{
    struct conversion c = {.precision = -1, .precision_argument = NONE};
    c.argument = parse_position(format);
    parse_flags(format, &c);
    c.width = parse_amount(format, &c.width_argument);
    if (**format == '.') {
        ++*format;
        c.precision = parse_amount(format, &c.precision_argument);
    }
    c.size = parse_size(format, &c);
    c.kind = **format;
    *format += c.kind != 0;
    return c;
}

/* The arguments, with the first of them and the format that says what they are. A variable list stands in a structure, so that a
   pointer to it can be passed whatever type lists have. */
struct list { va_list arguments, first; const char *format; };

static void skip_as(struct list *list, struct conversion *c)
{
    switch (c->kind) {
    case 's': case 'S': case 'p': case 'n': (void)__builtin_va_arg(list->arguments, void *); break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        if (c->is_extended)
            (void)__builtin_va_arg(list->arguments, long double);
        else
            (void)__builtin_va_arg(list->arguments, double);
        break;
    default:
        if (c->size == sizeof(long long) && c->kind != 'c')
            (void)__builtin_va_arg(list->arguments, long long);
        else
            (void)__builtin_va_arg(list->arguments, int);
    }
}

/* Takes argument number n, which is the next one, as the conversion reads it that has it; what none has is an int. */
static void skip(struct list *list, int n)
{
    struct conversion found = {.kind = 'd'};
    const char *at = list->format;
    while (*at) {
        if (*at++ != '%')
            continue;
        struct conversion c = parse(&at);
        if (c.argument == n && c.kind != '%') {
            found = c;
            break;
        }
    }
    skip_as(list, &found);
}

/* Makes an argument the next one. */
static void go_to(struct list *list, int argument)
{
    if (argument == NEXT)
        return;
    __builtin_va_copy(list->arguments, list->first);
    for (int n = 1; n < argument; n++)
        skip(list, n);
}

static int amount(struct list *list, int argument)
{
    go_to(list, argument);
    return __builtin_va_arg(list->arguments, int);
}

static number integer(struct list *list, int size, int is_signed)
{
    number n;
    if (size == sizeof(long long))
        n = __builtin_va_arg(list->arguments, number);
    else if (is_signed)
        n = (number)(long long)__builtin_va_arg(list->arguments, int);
    else
        n = __builtin_va_arg(list->arguments, unsigned);
    if (size == 1)
        return is_signed ? (number)(long long)(signed char)n : (unsigned char)n;
    if (size == 2)
        return is_signed ? (number)(long long)(short)n : (unsigned short)n;
    return n;
}

static void store_length(void *to, int size, size_t length)
{
    switch (size) {
    case 1: *(signed char *)to = (signed char)length; break;
    case 2: *(short *)to = (short)length; break;
    case sizeof(int): *(int *)to = (int)length; break;
    default: *(long long *)to = (long long)length;
    }
}

/* One conversion; whether there is more to come. */
static int convert_one(struct target *t, const char **format, struct list *list)
{
    struct conversion c = parse(format);
    if (c.width_argument != NONE) {
        c.width = amount(list, c.width_argument);
        if (c.width < -NO_LIMIT) {
            *__errno_location() = NOT_REPRESENTABLE;
            t->failed = 1;
            return 0;
        }
        if (c.width < 0) {
            c.left = 1;
            c.width = -c.width;
        }
    }
    if (c.precision_argument != NONE)
        c.precision = amount(list, c.precision_argument);
    go_to(list, c.argument);
    int size = c.size;
    char kind = c.kind;
    switch (kind) {
    case 'd': case 'i': {
        long long n = (long long)integer(list, size, 1);
        put_decimal(t, &c, n < 0 ? 0 - (number)n : (number)n, sign_of(&c, n < 0));
        break;
    }
    case 'u': put_decimal(t, &c, integer(list, size, 0), 0); break;
    case 'o': put_bits(t, &c, integer(list, size, 0), 3, 'a', ""); break;
    case 'x': put_bits(t, &c, integer(list, size, 0), 4, 'a', "0x"); break;
    case 'X': put_bits(t, &c, integer(list, size, 0), 4, 'A', "0X"); break;
    case 'b': put_bits(t, &c, integer(list, size, 0), 1, 'a', "0b"); break;
    case 'c': case 'C': {
        int one = __builtin_va_arg(list->arguments, int);
        if ((kind == 'C' || c.is_long) && (unsigned)one > 127)
            t->failed = 1;
        put_head(t, &c, 0, "", 1, 0);
        put(t, (char)one);
        put_many(t, ' ', c.width);
        break;
    }
    case 's':
        if (!c.is_long) {
            put_text(t, &c, __builtin_va_arg(list->arguments, const char *));
            break;
        }
        put_wide(t, &c, __builtin_va_arg(list->arguments, const int *));
        break;
    case 'S': put_wide(t, &c, __builtin_va_arg(list->arguments, const int *)); break;
    case 'p': put_address(t, &c, __builtin_va_arg(list->arguments, void *)); break;
    case 'm': put_text(t, &c, strerror(*__errno_location())); break;
    case 'n': store_length(__builtin_va_arg(list->arguments, void *), size, t->length); break;
    case '%': put(t, '%'); break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        put_float(t, &c, c.is_extended ? (double)__builtin_va_arg(list->arguments, long double)
                                       : __builtin_va_arg(list->arguments, double), kind);
        break;
    /* Nobody says what else there is. */
    default: t->failed = 1; return 0;
    }
    return 1;
}

static int make_text(struct target *t, const char *format, va_list arguments)
{
    struct list list = {.format = format};
    __builtin_va_copy(list.arguments, arguments);
    __builtin_va_copy(list.first, arguments);
    while (*format) {
        if (*format != '%') {
            put(t, *format++);
            continue;
        }
        format++;
        if (!convert_one(t, &format, &list))
            break;
    }
    if (t->length >= NO_LIMIT) {
        *__errno_location() = NOT_REPRESENTABLE;
        t->failed = 1;
    }
    return t->failed ? -1 : (int)t->length;
}

int vsnprintf(char *to, size_t size, const char *format, va_list arguments)
{
    struct target t = {to, size ? size - 1 : 0, 0, 0, 0};
    int length = make_text(&t, format, arguments);
    if (size)
        to[t.length < t.room ? t.length : t.room] = 0;
    return length;
}

int vsprintf(char *to, const char *format, va_list arguments)
{
    return vsnprintf(to, NO_LIMIT, format, arguments);
}

int vasprintf(char **to, const char *format, va_list arguments)
{
    struct target t = {malloc(32), 31, 0, 1, 0};
    if (!t.to)
        return -1;
    int length = make_text(&t, format, arguments);
    if (length < 0)
        return -1;
    *to = realloc(t.to, t.length + 1);
    if (!*to)
        return -1;
    (*to)[t.length] = 0;
    return length;
}

#define WITH_ARGUMENTS(call) \
    va_list arguments; \
    __builtin_va_start(arguments, format); \
    int length = call; \
    __builtin_va_end(arguments); \
    return length

int snprintf(char *to, size_t size, const char *format, ...)
{
    WITH_ARGUMENTS(vsnprintf(to, size, format, arguments));
}

int sprintf(char *to, const char *format, ...)
{
    WITH_ARGUMENTS(vsnprintf(to, NO_LIMIT, format, arguments));
}

int asprintf(char **to, const char *format, ...)
{
    WITH_ARGUMENTS(vasprintf(to, format, arguments));
}

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
    WITH_ARGUMENTS(vsnprintf(to, size, format, arguments));
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
    WITH_ARGUMENTS(vsnprintf(to, NO_LIMIT, format, arguments));
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list arguments)
{
    return vsnprintf(to, size, format, arguments);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments)
{
    return vsnprintf(to, NO_LIMIT, format, arguments);
}

int __asprintf_chk(char **to, int flag, const char *format, ...)
{
    WITH_ARGUMENTS(vasprintf(to, format, arguments));
}
