/* Compares the models of the formatting functions with the library of the machine. Where digits are inputs of the
   models, the library's text says which: what is compared is that the library's text is one of the model's. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define D(type, name, ...) type model_##name(__VA_ARGS__)
D(int, snprintf, char *, size_t, const char *, ...);
D(int, sprintf, char *, const char *, ...);
D(int, asprintf, char **, const char *, ...);
D(int, sscanf, const char *, const char *, ...);
D(int, fscanf, FILE *, const char *, ...);
D(int, getchar, void);
D(void, rewind, FILE *);
D(double, strtod, const char *, char **);
D(float, strtof, const char *, char **);
D(char *, strerror, int);
D(char *, setlocale, int, const char *);
D(struct lconv *, localeconv, void);
D(locale_t, newlocale, int, const char *, locale_t);
D(locale_t, duplocale, locale_t);
D(locale_t, uselocale, locale_t);
int *model___errno_location(void);

static char a[1024], b[1024], format[64], spare[1024];

#define SAME(condition)                                                                              \
    do {                                                                                             \
        compared++;                                                                                  \
        if (!(condition)) {                                                                          \
            printf("line %d: %s; format=\"%s\" a=\"%s\" b=\"%s\" from=\"%s\"\n", __LINE__, #condition, format, a, b, spare); \
            exit(1);                                                                                 \
        }                                                                                            \
    } while (0)

/* Flags, a width, a precision. */
static char *specification(char *to, const char *flags, int zeros_too)
{
    *to++ = '%';
    for (; *flags; flags++) {
        if (below(4) == 0 && (zeros_too || *flags != '0'))
            *to++ = *flags;
    }
    if (below(2))
        to += sprintf(to, "%u", 1 + below(below(3) ? 12 : 40));
    if (below(2))
        to += below(6) ? sprintf(to, ".%u", below(below(3) ? 9 : 30)) : sprintf(to, ".");
    return to;
}

static uint64_t some_bits(void)
{
    static const uint64_t limits[] = {0, 1, 9, 10, 99, 100, 127, 128, 255, 32768, 65535, 2147483647, 2147483648,
        4294967295, 9223372036854775807u, 9223372036854775808u, 10000000000000000000u, 18446744073709551615u};
    return below(3) ? next() >> below(64) : limits[below(sizeof limits / sizeof *limits)];
}

#define BOTH(...)                                                                    \
    do {                                                                             \
        size_t room = below(3) ? sizeof a : below(20);                               \
        memset(a, 7, sizeof a);                                                      \
        memset(b, 7, sizeof b);                                                      \
        int mine = model_snprintf(a, room, format, __VA_ARGS__), real = snprintf(b, room, format, __VA_ARGS__); \
        SAME(mine == real);                                                          \
        SAME(memcmp(a, b, sizeof a) == 0);                                           \
    } while (0)

static void integers_as_text(void)
{
    static const char *const sizes[] = {"hh", "h", "", "l", "ll", "j", "z", "t"};
    static const char kinds[] = "diuoxXb";
    unsigned size = below(8);
    strcpy(spare, "");
    char *end = specification(format, "-+ #0", 1);
    sprintf(end, "%s%c%s", sizes[size], kinds[below(7)], below(2) ? "" : "%%");
    uint64_t bits = some_bits();
    if (size >= 3)
        BOTH(bits);
    else
        BOTH((unsigned)bits);
    strcpy(format, below(2) ? "<%*d|%-*.*x>" : "<%+.*i|%0*u>");
    int first = (int)below(20) - 10, second = (int)(bits % 1000), third = (int)below(9), fourth = (int)below(9) - 4;
    BOTH(first, second, third, fourth, 3);
}

/* Arguments by their numbers, some of them twice, of all sizes and classes. */
static void numbered_arguments(void)
{
    static const char *const some[] = {"%2$s<%1$d>%1$x%2$s%%", "%3$*1$ld|%2$.2s|%3$-+8lx", "%4$a %3$-*1$lld %2$.*5$s", "%1$c%3$hhu%2$s%4$A",
        "%5$u%4$.2a%3$#lo%2$10s%1$+i"};
    strcpy(format, some[below(5)]);
    int first = (int)below(20) - 10, fifth = (int)below(9);
    long third = (long)some_bits();
    union { uint64_t bits; double x; } fourth = {some_bits()};
    BOTH(first, "text", third, fourth.x, fifth);
}

static void texts_as_text(void)
{
    static const char *const some[] = {"", "a", "text", "a longer text", 0};
    char *end = specification(format, "-", 1);
    strcpy(end, below(3) ? "s" : "c");
    int c = 1 + (int)below(255);
    const char *text = some[below(5)];
    if (*end == 'c')
        BOTH(c);
    else
        BOTH(text);
    strcpy(format, "%s=%d, %lc%ls%n");
    int n = 0, m = 0;
    model_snprintf(a, sizeof a, format, "name", 17, 'x', L"wide", &n);
    snprintf(b, sizeof b, format, "name", 17, 'x', L"wide", &m);
    SAME(strcmp(a, b) == 0 && n == m);
    char *mine, *real;
    int k = model_asprintf(&mine, "%0*d%s", 40 + (int)below(90), 5, some[below(4)]), l = (int)strlen(mine);
    SAME(k == l);
    free(mine);
}

/* What the model asks for while it makes a text that is known. */
static void foretell(const char *body, double x, char kind, int alternative)
{
    static char digits[2048];
    const char *exponent = strpbrk(body, "eE"), *point = strchr(body, '.');
    int all = 0, whole, small = x > -1 && x < 1;
    body += strspn(body, "+- ");
    whole = (int)strspn(body, "0123456789");
    int mantissa = 0, is_small = (kind | 32) == 'g' && !exponent && small && x != 0 && strncmp(body, "0.", 2) == 0;
    const char *first = is_small ? body + 2 + strspn(body + 2, "0") : body;
    for (const char *p = first; *p; p++) {
        if (*p >= '0' && *p <= '9') {
            digits[all++] = (char)(*p - '0');
            mantissa += !exponent || p < exponent;
        }
    }
    forget_answers();
    if ((kind | 32) == 'f' && !small)
        answer(whole);
    if ((kind | 32) == 'g') {
        if (!alternative)
            answer(mantissa);
        answer(exponent ? -1 : 0);
    }
    if (exponent) {
        answer((int)strlen(exponent + 2));
        answer(exponent[1] == '-' ? -1 : 0);
    } else if ((kind | 32) == 'g') {
        if (small && x != 0)
            answer(is_small ? -1 : 0);
        answer(is_small ? (int)(first - body - 2) : whole);
    }
    for (int i = 0; i < all; i++)
        answer_byte((unsigned char)digits[i]);
    (void)point;
}

static void floats_as_text(void)
{
    static const char kinds[] = "fFeEgGaA";
    char kind = kinds[below(8)], plain[32];
    double x = special_number();
    char *end = specification(format, "-+ #0", 1), *p = plain;
    end[0] = kind;
    end[1] = 0;
    *p++ = '%';
    int alternative = strchr(format, '#') != 0;
    if (strchr(format, '+'))
        *p++ = '+';
    if (alternative)
        *p++ = '#';
    strcpy(p, strchr(format, '.') ? strchr(format, '.') : end);
    snprintf(spare, sizeof spare, plain, x);
    if ((kind | 32) != 'a' && x - x == 0)
        foretell(spare, x, kind, alternative);
    BOTH(x);
    SAME(no_answers_are_left());
    forget_answers();
}

#define SCANNED(type)                                                                       \
    do {                                                                                    \
        type m[3] = {1, 1, 1}, r[3] = {1, 1, 1};                                            \
        int mine = model_sscanf(a, format, &m[0], &m[1], &m[2]), real = sscanf(a, format, &r[0], &r[1], &r[2]); \
        SAME(mine == real && memcmp(m, r, sizeof m) == 0);                                  \
    } while (0)

static void numbers_out_of_text(void)
{
    static const char *const sizes[] = {"hh", "h", "", "l", "ll", "j", "z"};
    static const char kinds[] = "diuoxX";
    static const char *const between[] = {"", " ", ",", " ,%%"};
    unsigned size = below(7);
    char width[8] = "";
    random_text(a, 30, below(2) ? "0123456789 " : "  -+0x1f9,%\n7");
    if (below(3) == 0)
        sprintf(a, "%lld, %#llx,%%%llu", (long long)some_bits(), (long long)some_bits(), (long long)some_bits());
    if (below(3) == 0)
        sprintf(width, "%u", 1 + below(6));
    const char *gap = between[below(4)], *n = below(3) ? "" : "%*d ";
    char k = kinds[below(6)];
    sprintf(format, "%%%s%s%c%s%s%%%s%c%s%%%s%s%c", width, sizes[size], k, gap, n, sizes[size], kinds[below(6)], gap,
        width, sizes[size], k);
    strcpy(spare, "");
    switch (size) {
    case 0: SCANNED(char); break;
    case 1: SCANNED(short); break;
    case 2: SCANNED(int); break;
    default: SCANNED(long); break;
    }
}

static void texts_out_of_text(void)
{
    static const char *const formats[] = {"%s%s%n", "%3c%s", "%[a-c]%s", "%[^, ]%*[, ]%s", "%2s %[]a]%n", "x%s y%s",
        "%*s%s%s", "%[b-]%s", "%c %c%c", "%5[^x]x%s", "%[z-a]%s"};
    char m[3][64] = {{0}}, r[3][64] = {{0}};
    random_text(a, 24, below(2) ? "abcx " : "ab-], xyz");
    strcpy(format, formats[below(11)]);
    int mine = model_sscanf(a, format, m[0], m[1], m[2]), real = sscanf(a, format, r[0], r[1], r[2]);
    SAME(mine == real && memcmp(m, r, sizeof m) == 0);
    FILE *file = *a ? fmemopen(a, strlen(a), "r") : 0;
    if (file) {
        set_input(a);
        model_rewind(stdin);
        memset(m, 0, sizeof m);
        memset(r, 0, sizeof r);
        SAME(model_fscanf(stdin, format, m[0], m[1], m[2]) == fscanf(file, format, r[0], r[1], r[2]));
        SAME(memcmp(m, r, sizeof m) == 0 && model_getchar() == fgetc(file));
        fclose(file);
    }
}

static int same_float(double x, double y)
{
    return (x != x && y != y) || (x == y && signbit(x) == signbit(y));
}

static void floats_out_of_text(void)
{
    static const char *const some[] = {"inf", "-INFINITY", "nan", "nan(12)x", "nan(1", "infinit", "0x", "0x.p1", ".",
        "-.e1", "1e", "1e+", "0x1.8p3", "0x1p-3q", ".5.", "1e22", "123456789012345678901234567890", "4e-400", "1e999"};
    if (below(4) == 0)
        strcpy(a, some[below(sizeof some / sizeof *some)]);
    else if (below(3) == 0)
        sprintf(a, "%s%u.%ue%d", below(2) ? "-" : " ", below(9999), below(999), (int)below(24) - 12);
    else
        random_text(a, 14, below(2) ? "0123456789.e" : " +-0x1f9.ep5");
    strcpy(format, "");
    char *x, *y;
    *model___errno_location() = errno = 0;
    double real = strtod(a, &y);
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    forget_answers();
    answer_long(bits);
    double mine = model_strtod(a, &x);
    SAME(x == y && same_float(mine, real));
    SAME(*model___errno_location() == errno || fabs(real) < 2.3e-308);
    float realf = strtof(a, &y);
    uint32_t word;
    memcpy(&word, &realf, sizeof word);
    answer_word(word);
    float minef = model_strtof(a, &x);
    SAME(x == y && same_float(minef, realf));
    double m[2] = {1, 1}, r[2] = {1, 1};
    strcpy(format, below(2) ? "%lf%n" : "%5lf,%*c%n");
    real = 1;
    int k = 0, l = 0, count = sscanf(a, format, &real, &l);
    memcpy(&bits, &real, sizeof bits);
    answer_long(bits);
    SAME(model_sscanf(a, format, &m[0], &k) == count && k == l && same_float(m[0], real));
    forget_answers();
}

/* The members lie where the library's header says, and each text is the one that was foretold. */
static void conventions(void)
{
    for (int i = 0; i < 10; i++)
        answer_long((uint64_t)i + (i ? 'a' : 0));
    answer_long(0x07060504030201u);
    answer_long(0x0e0d0c0b0a0908u);
    struct lconv *found = model_localeconv();
    forget_answers();
    SAME(strcmp(found->decimal_point, ".") == 0 && strcmp(found->grouping, "c") == 0);
    SAME(strcmp(found->mon_thousands_sep, "g") == 0 && strcmp(found->negative_sign, "j") == 0);
    SAME(found->int_frac_digits == 1 && found->frac_digits == 2 && found->int_n_sign_posn == 14);
    SAME(strcmp(model_setlocale(LC_ALL, "C"), "C") == 0 && !model_setlocale(77, NULL));
    for (int i = 0; i < 4; i++)
        answer_long(i ? 0 : 'x');
    SAME(strcmp(model_setlocale(LC_ALL, NULL), "x") == 0);
    forget_answers();
}

/* Library and models agree on what is a locale, and which is that of C. */
static void locale_objects(void)
{
    locale_t real[6] = {0, newlocale(LC_ALL_MASK, "C", 0)}, mine[6] = {0, model_newlocale(LC_ALL_MASK, "C", 0)};
    for (int kinds = 0; kinds < 1 << 15; kinds++) {
        errno = *model___errno_location() = 0;
        SAME((newlocale(kinds, "C", 0) == real[1]) == (model_newlocale(kinds, "C", 0) == mine[1]));
        SAME(errno == *model___errno_location());
    }
    SAME(!newlocale(LC_ALL_MASK, NULL, 0) && !model_newlocale(LC_ALL_MASK, NULL, 0));
    real[2] = duplocale(real[1]), mine[2] = model_duplocale(mine[1]);
    real[3] = duplocale(LC_GLOBAL_LOCALE), mine[3] = model_duplocale(LC_GLOBAL_LOCALE);
    real[4] = newlocale(LC_NUMERIC_MASK, "POSIX", real[3]), mine[4] = model_newlocale(LC_NUMERIC_MASK, "POSIX", mine[3]);
    real[5] = uselocale(real[3]), mine[5] = model_uselocale(mine[3]);
    for (int i = 1; i < 6; i++) {
        SAME(real[i] && mine[i] && (real[i] == LC_GLOBAL_LOCALE) == (mine[i] == LC_GLOBAL_LOCALE));
        SAME(i == 4 || (real[i] == real[1]) == (mine[i] == mine[1]));
    }
    SAME(uselocale(NULL) == real[3] && model_uselocale(NULL) == mine[3]);
    SAME(uselocale(LC_GLOBAL_LOCALE) == real[3] && model_uselocale(LC_GLOBAL_LOCALE) == mine[3]);
}

void formats(void)
{
    conventions();
    locale_objects();
    SAME(strlen(model_strerror(2)) > 0);
    for (int i = 0; i < 20000; i++) {
        integers_as_text();
        numbered_arguments();
        texts_as_text();
        floats_as_text();
        numbers_out_of_text();
        texts_out_of_text();
        floats_out_of_text();
    }
}
