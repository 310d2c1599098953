/* Floating-point numbers out of text, in the C locale. Where the number ends is exact. Its value is exact where few
   digits make it so: a product or quotient of two numbers that are exact; else it is an input, of the right sign. */
typedef unsigned long long number;

number __footpath_any_8(void);
unsigned char __footpath_any_1(void);
unsigned __footpath_any_4(void);
void footpath_assume(int holds);
int *__errno_location(void);

enum { TOO_LARGE = 34 };

/* How exact numbers are: 53 bits and powers of ten up to 22, or for `float` 24 and 10. */
struct precision { number most; int power; int is_float; };

static int is_blank_of_float(char c)
{
    return (c == ' ') | ((unsigned char)(c - '\t') < 5);
}

static unsigned value_of_digit(char c)
{
    unsigned figure = (unsigned char)c - (unsigned)'0', letter = ((unsigned char)c | 32u) - 'a';
    return figure < 10 ? figure : letter < 6 ? letter + 10 : 99;
}

/* Whether text begins with a word, in letters of any case. */
static int begins_with(const char *s, const char *word)
{
    for (; *word; s++, word++) {
        if ((*s | 32) != *word)
            return 0;
    }
    return 1;
}

static double any_float(struct precision *precision)
{
    double x;
    if (precision->is_float) {
        union { unsigned bits; float x; } as = {__footpath_any_4() & 0x7fffffffu};
        x = as.x;
    } else {
        union { number bits; double x; } as = {__footpath_any_8() << 1 >> 1};
        x = as.x;
    }
    footpath_assume(x == x);
    /* A small number may have lost digits, and zero may be one that lost all of them. */
    if (x - x != 0 || (x < (precision->is_float ? 0x1p-126 : 0x1p-1022) && __footpath_any_1() & 1))
        *__errno_location() = TOO_LARGE;
    return x;
}

static double scaled(number digits, int exponent, int cut, struct precision *precision)
{
    if (digits == 0 && !cut)
        return 0;
    if (cut || digits > precision->most || exponent > precision->power || exponent < -precision->power)
        return any_float(precision);
    double power = 1, x = (double)digits;
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--)
        power *= 10;
    if (precision->is_float)
        return exponent < 0 ? (float)x / (float)power : (float)x * (float)power;
    return exponent < 0 ? x / power : x * power;
}

static double hexadecimal(number digits, int exponent, int cut, struct precision *precision)
{
    if (digits == 0 && !cut)
        return 0;
    if (cut || digits > precision->most || exponent > 60 || exponent < -60)
        return any_float(precision);
    double x = (double)digits;
    for (; exponent > 0; exponent--)
        x *= 2;
    for (; exponent < 0; exponent++)
        x /= 2;
    return x;
}

/* The exponent behind e or p; what is too large to matter is cut. */
static int exponent_of(const char **s, char letter)
{
    const char *p = *s;
    int exponent = 0, negative;
    if ((*p | 32) != letter)
        return 0;
    p++;
    negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    if (value_of_digit(*p) >= 10)
        return 0;
    for (; value_of_digit(*p) < 10; p++)
        exponent = exponent > 99999 ? exponent : 10 * exponent + (int)value_of_digit(*p);
    *s = p;
    return negative ? -exponent : exponent;
}

/* Digits with a point among them and an exponent behind. */
static double digits_of(const char **s, unsigned base, struct precision *precision)
{
    const char *p = *s;
    number digits = 0;
    int exponent = 0, cut = 0, any = 0, behind = 0;
    for (;; p++) {
        unsigned d = value_of_digit(*p);
        if (*p == '.' && !behind) {
            behind = 1;
            continue;
        }
        if (d >= base)
            break;
        any = 1;
        if (digits > (~(number)0 - 15) / 16) {
            cut |= d != 0;
            exponent += !behind;
        } else {
            digits = digits * base + d;
            exponent -= behind;
        }
    }
    if (!any)
        return 0;
    *s = p;
    if (base == 16)
        return hexadecimal(digits, 4 * exponent + exponent_of(s, 'p'), cut, precision);
    return scaled(digits, exponent + exponent_of(s, 'e'), cut, precision);
}

static const char *end_of_nan(const char *s)
{
    const char *p = s + 1;
    if (*s != '(')
        return s;
    while (value_of_digit(*p) < 10 || ((*p | 32) >= 'a' && (*p | 32) <= 'z') || *p == '_')
        p++;
    return *p == ')' ? p + 1 : s;
}

static double float_of(const char *text, char **end, struct precision *precision)
{
    const char *s = text, *start;
    double x = 0;
    while (is_blank_of_float(*s))
        s++;
    int negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    start = s;
    if (begins_with(s, "inf")) {
        s += begins_with(s, "infinity") ? 8 : 3;
        x = __builtin_inf();
    } else if (begins_with(s, "nan")) {
        s = end_of_nan(s + 3);
        x = __builtin_nan("");
    } else if (*s == '0' && (s[1] | 32) == 'x') {
        s += 2;
        start = s;
        x = digits_of(&s, 16, precision);
        /* Without digits behind it, the zero was all. */
        if (s == start)
            s--;
    } else {
        x = digits_of(&s, 10, precision);
        if (s == start) {
            s = text;
            negative = 0;
        }
    }
    if (end)
        *end = (char *)s;
    return negative ? -x : x;
}

double strtod(const char *text, char **end)
{
    struct precision precision = {(number)1 << 53, 22, 0};
    return float_of(text, end, &precision);
}

float strtof(const char *text, char **end)
{
    struct precision precision = {(number)1 << 24, 10, 1};
    return (float)float_of(text, end, &precision);
}

double atof(const char *text)
{
    return strtod(text, 0);
}

/* No closer than double. */
long double strtold(const char *text, char **end)
{
    return strtod(text, end);
}
