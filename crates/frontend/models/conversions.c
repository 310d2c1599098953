/* Numbers out of text, with glibc's answers to all errors: where the rest begins, `errno`, and the limits. */
typedef __SIZE_TYPE__ size_t;
typedef unsigned long long number;

enum { INVALID = 22, OUT_OF_RANGE = 34 };

int *__errno_location(void);

static int is_space(char c)
{
    return (c == ' ') | ((unsigned)(unsigned char)c - '\t' < 5);
}

/* The value of a digit; at least 36 if it is none. Arithmetic instead of branches: all kinds are one path. */
static unsigned digit(char c)
{
    unsigned figure = (unsigned char)c - (unsigned)'0', letter = ((unsigned char)c | 32u) - 'a';
    unsigned is_figure = figure < 10, is_letter = letter < 26;
    return (figure & (0 - is_figure)) | ((letter + 10) & (0 - is_letter)) | (99 & ((is_figure | is_letter) - 1));
}

/* `most` and `least` bound the absolute value; the result is negated modulo two to the 64th. With `binary`, 0b is
   a prefix too, as C23 has it. */
static number convert(const char *s, char **end, int base, number most, number least, int binary)
{
    const char *start = s;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = INVALID;
        return 0;
    }
    while (is_space(*s))
        s++;
    int negative = 0;
    if (*s == '-') {
        negative = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    if (base == 0 || base == 16 || (binary && base == 2)) {
        if (*s == '0') {
            if ((base == 0 || base == 16) && (s[1] | 32) == 'x') {
                /* Without a digit behind it, the zero was all. */
                if (digit(s[2]) < 16)
                    s += 2;
                base = 16;
            } else if (binary && (base == 0 || base == 2) && (s[1] | 32) == 'b') {
                if (digit(s[2]) < 2)
                    s += 2;
                base = 2;
            } else if (base == 0) {
                base = 8;
            }
        } else if (base == 0) {
            base = 10;
        }
    }
    number value = 0, limit = negative ? least : most;
    /* Of so many digits no number is too large, so nothing needs to be asked of them. */
    unsigned few = 0;
    for (number power = 1; !__builtin_mul_overflow(power, (number)base, &power) && power <= limit;)
        few++;
    unsigned digits = 0;
    int over = 0;
    for (;; s++) {
        unsigned d = digit(*s);
        if (d >= (unsigned)base)
            break;
        if (digits < few)
            value = value * (number)base + d;
        else if (!over)
            over = __builtin_mul_overflow(value, (number)base, &value)
                || __builtin_add_overflow(value, (number)d, &value) || value > limit;
        digits++;
    }
    if (end)
        *end = (char *)(digits ? s : start);
    if (over) {
        *__errno_location() = OUT_OF_RANGE;
        /* All ones of an unsigned type stay what they are. */
        return negative && least != most ? 0 - least : limit;
    }
    return negative ? 0 - value : value;
}

#define LONG_MOST ((number)__LONG_MAX__)
#define LONG_LONG_MOST ((number)__LONG_LONG_MAX__)

long strtol(const char *s, char **end, int base)
{
    return (long)convert(s, end, base, LONG_MOST, LONG_MOST + 1, 0);
}

long long strtoll(const char *s, char **end, int base)
{
    return (long long)convert(s, end, base, LONG_LONG_MOST, LONG_LONG_MOST + 1, 0);
}

unsigned long strtoul(const char *s, char **end, int base)
{
    return (unsigned long)convert(s, end, base, 2 * LONG_MOST + 1, 2 * LONG_MOST + 1, 0);
}

unsigned long long strtoull(const char *s, char **end, int base)
{
    return convert(s, end, base, 2 * LONG_LONG_MOST + 1, 2 * LONG_LONG_MOST + 1, 0);
}

__INTMAX_TYPE__ strtoimax(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

__UINTMAX_TYPE__ strtoumax(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}

long __isoc23_strtol(const char *s, char **end, int base)
{
    return (long)convert(s, end, base, LONG_MOST, LONG_MOST + 1, 1);
}

long long __isoc23_strtoll(const char *s, char **end, int base)
{
    return (long long)convert(s, end, base, LONG_LONG_MOST, LONG_LONG_MOST + 1, 1);
}

unsigned long __isoc23_strtoul(const char *s, char **end, int base)
{
    return (unsigned long)convert(s, end, base, 2 * LONG_MOST + 1, 2 * LONG_MOST + 1, 1);
}

unsigned long long __isoc23_strtoull(const char *s, char **end, int base)
{
    return convert(s, end, base, 2 * LONG_LONG_MOST + 1, 2 * LONG_LONG_MOST + 1, 1);
}

int atoi(const char *s)
{
    return (int)strtol(s, 0, 10);
}

long atol(const char *s)
{
    return strtol(s, 0, 10);
}

long long atoll(const char *s)
{
    return strtoll(s, 0, 10);
}
