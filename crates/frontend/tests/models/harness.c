/* Compares the models, renamed to model_*, with the library of the machine on random inputs. Prints how many
   comparisons were made, or the first that failed. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "harness.h"

static uint64_t state = 88172645463325252u;
unsigned long compared;

uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

unsigned below(unsigned n)
{
    return (unsigned)(next() >> 20) % n;
}

/* The inputs that are foretold, of each kind in order. */
static struct { uint64_t numbers[2048]; int given, taken; } ints, bytes, words, longs;

void forget_answers(void)
{
    ints.given = ints.taken = bytes.given = bytes.taken = 0;
    words.given = words.taken = longs.given = longs.taken = 0;
}

int no_answers_are_left(void)
{
    return ints.taken == ints.given && bytes.taken == bytes.given;
}

void answer(int n)
{
    ints.numbers[ints.given++] = (uint64_t)n;
}

void answer_byte(unsigned char n)
{
    bytes.numbers[bytes.given++] = n;
}

void answer_word(uint32_t n)
{
    words.numbers[words.given++] = n;
}

void answer_long(uint64_t n)
{
    longs.numbers[longs.given++] = n;
}

#define ANSWER(from) ((from).taken < (from).given ? (from).numbers[(from).taken++] : 3)

/* Inputs that were foretold fulfil what is assumed of them. */
void footpath_assume(int holds)
{
    if (!holds && ints.given + bytes.given > 0) {
        printf("what the model assumes rules out what the library does\n");
        exit(1);
    }
}

void __footpath_close(const void *stream)
{
    (void)stream;
}

void __footpath_need_open(const void *stream)
{
    (void)stream;
}

int __footpath_any_int(void)
{
    return (int)ANSWER(ints);
}

long __footpath_any_long(void)
{
    return 3;
}

unsigned char __footpath_any_1(void)
{
    return (unsigned char)ANSWER(bytes);
}

unsigned __footpath_any_4(void)
{
    return (unsigned)ANSWER(words);
}

unsigned long long __footpath_any_8(void)
{
    return ANSWER(longs);
}

static const char *input;

int __footpath_input_byte(void)
{
    return *input ? (unsigned char)*input++ : -1;
}

void set_input(const char *text)
{
    input = text;
}

#define SAME(condition)                                                          \
    do {                                                                         \
        compared++;                                                              \
        if (!(condition)) {                                                      \
            printf("line %d: %s; a=\"%s\" b=\"%s\"\n", __LINE__, #condition, a, b); \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

static char a[64], b[64];

void random_text(char *to, unsigned most, const char *alphabet)
{
    unsigned n = below(most + 1), kinds = (unsigned)strlen(alphabet);
    for (unsigned i = 0; i < n; i++)
        to[i] = alphabet[below(kinds)];
    to[n] = 0;
}

#define D(type, name, ...) type model_##name(__VA_ARGS__)
D(size_t, strlen, const char *);
D(size_t, strnlen, const char *, size_t);
D(int, strcmp, const char *, const char *);
D(int, strcoll, const char *, const char *);
D(int, strncmp, const char *, const char *, size_t);
D(int, strcasecmp, const char *, const char *);
D(int, strncasecmp, const char *, const char *, size_t);
D(char *, strchr, const char *, int);
D(char *, strchrnul, const char *, int);
D(char *, strrchr, const char *, int);
D(char *, index, const char *, int);
D(char *, rindex, const char *, int);
D(char *, strstr, const char *, const char *);
D(size_t, strspn, const char *, const char *);
D(size_t, strcspn, const char *, const char *);
D(char *, strpbrk, const char *, const char *);
D(int, memcmp, const void *, const void *, size_t);
D(int, bcmp, const void *, const void *, size_t);
D(void *, memchr, const void *, int, size_t);
D(void *, rawmemchr, const void *, int);
D(void *, memrchr, const void *, int, size_t);
D(void *, memmem, const void *, size_t, const void *, size_t);
D(char *, strcpy, char *, const char *);
D(char *, stpcpy, char *, const char *);
D(char *, strncpy, char *, const char *, size_t);
D(char *, stpncpy, char *, const char *, size_t);
D(char *, strcat, char *, const char *);
D(char *, strncat, char *, const char *, size_t);
D(size_t, strlcpy, char *, const char *, size_t);
D(size_t, strlcat, char *, const char *, size_t);
D(char *, strtok, char *, const char *);
D(char *, strtok_r, char *, const char *, char **);
D(char *, strsep, char **, const char *);
D(char *, strdup, const char *);
D(char *, strndup, const char *, size_t);
D(void *, memcpy, void *, const void *, size_t);
D(void *, memmove, void *, const void *, size_t);
D(void *, mempcpy, void *, const void *, size_t);
D(void *, memccpy, void *, const void *, int, size_t);
D(void *, memset, void *, int, size_t);
D(void, bzero, void *, size_t);
D(char *, fgets, char *, int, FILE *);
D(size_t, fread, void *, size_t, size_t, FILE *);
D(int, getchar, void);
D(int, getc, FILE *);
D(int, ungetc, int, FILE *);
D(int, feof, FILE *);
D(void, rewind, FILE *);
D(int, putchar, int);
D(void *, bsearch, const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
D(void, qsort, void *, size_t, size_t, int (*)(const void *, const void *));
D(void *, reallocarray, void *, size_t, size_t);
D(int, posix_memalign, void **, size_t, size_t);
int *model___errno_location(void);
#define CONVERSION(type, name) type model_##name(const char *, char **, int)
CONVERSION(long, strtol);
CONVERSION(long long, strtoll);
CONVERSION(unsigned long, strtoul);
CONVERSION(unsigned long long, strtoull);
CONVERSION(intmax_t, strtoimax);
CONVERSION(uintmax_t, strtoumax);
D(int, atoi, const char *);
D(long, atol, const char *);
D(long long, atoll, const char *);
D(int, abs, int);
D(long, labs, long);
D(long long, llabs, long long);
D(div_t, div, int, int);
D(ldiv_t, ldiv, long, long);
D(lldiv_t, lldiv, long long, long long);
D(int, ffs, int);
D(int, ffsl, long);
D(int, ffsll, long long);
const unsigned short **model___ctype_b_loc(void);
const int **model___ctype_tolower_loc(void);
const int **model___ctype_toupper_loc(void);

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static void searches(void)
{
    const char *letters = below(2) ? "abAB\xe4\xc4[@" : "ab";
    random_text(a, 12, letters);
    random_text(b, 4, letters);
    unsigned n = below(14);
    int c = below(8) ? (unsigned char)letters[below((unsigned)strlen(letters))] : 0;
    c += below(4) ? 0 : 256;
    SAME(model_strlen(a) == strlen(a));
    SAME(model_strnlen(a, n) == strnlen(a, n));
    SAME(model_strcmp(a, b) == strcmp(a, b));
    SAME(sign(model_strcoll(a, b)) == sign(strcoll(a, b)));
    SAME(sign(model_strncmp(a, b, n)) == sign(strncmp(a, b, n)));
    SAME(sign(model_strcasecmp(a, b)) == sign(strcasecmp(a, b)));
    SAME(sign(model_strncasecmp(a, b, n)) == sign(strncasecmp(a, b, n)));
    SAME(model_strchr(a, c) == strchr(a, c));
    SAME(model_strchrnul(a, c) == strchrnul(a, c));
    SAME(model_strrchr(a, c) == strrchr(a, c));
    SAME(model_index(a, c) == index(a, c));
    SAME(model_rindex(a, c) == rindex(a, c));
    SAME(model_strstr(a, b) == strstr(a, b));
    SAME(model_strspn(a, b) == strspn(a, b));
    SAME(model_strcspn(a, b) == strcspn(a, b));
    SAME(model_strpbrk(a, b) == strpbrk(a, b));
    SAME(sign(model_memcmp(a, b, n)) == sign(memcmp(a, b, n)));
    SAME(!model_bcmp(a, b, n) == !bcmp(a, b, n));
    SAME(model_memchr(a, c, n) == memchr(a, c, n));
    SAME(model_memrchr(a, c, n) == memrchr(a, c, n));
    SAME(model_rawmemchr(a, 0) == rawmemchr(a, 0));
    SAME(model_memmem(a, n, b, strlen(b)) == memmem(a, n, b, strlen(b)));
}

#define BOTH(mine, real)                                \
    do {                                                \
        memcpy(x, a, sizeof x);                         \
        memcpy(y, a, sizeof y);                         \
        char *const p = x;                              \
        const char *const r = (const char *)(mine);     \
        char *const q = y;                              \
        const char *const s = (const char *)(real);     \
        (void)p;                                        \
        (void)q;                                        \
        SAME((r ? r - x : -1) == (s ? s - y : -1));     \
        SAME(memcmp(x, y, sizeof x) == 0);              \
    } while (0)

static void copies(void)
{
    char x[64], y[64];
    random_text(a, 12, "ab,");
    random_text(b, 8, "abc,");
    unsigned n = below(14), from = below(8), to = below(8);
    BOTH(model_strcpy(p, b), strcpy(q, b));
    BOTH(model_stpcpy(p, b), stpcpy(q, b));
    BOTH(model_strncpy(p, b, n), strncpy(q, b, n));
    BOTH(model_stpncpy(p, b, n), stpncpy(q, b, n));
    BOTH(model_strcat(p, b), strcat(q, b));
    BOTH(model_strncat(p, b, n), strncat(q, b, n));
    BOTH(model_memcpy(p, b, n), memcpy(q, b, n));
    BOTH(model_memmove(p + to, p + from, n), memmove(q + to, q + from, n));
    BOTH(model_mempcpy(p, b, n), mempcpy(q, b, n));
    BOTH(model_memccpy(p, b, 'c', n), memccpy(q, b, 'c', n));
    BOTH(model_memset(p, 300, n), memset(q, 300, n));
    BOTH((model_bzero(p, n), p), (bzero(q, n), q));
    char *r = model_strdup(a), *s = model_strndup(a, n), *t = strndup(a, n);
    SAME(strcmp(r, a) == 0 && strcmp(s, t) == 0);
    free(r);
    free(s);
    free(t);
    /* As the manual of strlcpy describes it; not every library has it. */
    memcpy(x, a, sizeof x);
    SAME(model_strlcpy(x, b, n) == strlen(b));
    SAME(n == 0 || (strncmp(x, b, n - 1) == 0 && strlen(x) == strnlen(b, n - 1)));
    memcpy(x, a, sizeof x);
    SAME(model_strlcat(x, b, n) == strnlen(a, n) + strlen(b));
    SAME(strncmp(x, a, strlen(a)) == 0);
}

static void tokens(void)
{
    char x[64], y[64];
    random_text(a, 20, "ab,; ");
    memcpy(x, a, sizeof x);
    memcpy(y, a, sizeof y);
    int any = 1;
    for (char *mine = x, *real = y; any; mine = real = 0) {
        random_text(b, 2, ",; ");
        mine = model_strtok(mine, b);
        real = strtok(real, b);
        SAME((mine ? mine - x : -1) == (real ? real - y : -1));
        any = mine != 0;
    }
    SAME(memcmp(x, y, sizeof x) == 0);
    char *p = x, *q = y;
    memcpy(x, a, sizeof x);
    memcpy(y, a, sizeof y);
    do {
        random_text(b, 2, ",; ");
        char *mine = model_strsep(&p, b), *real = strsep(&q, b);
        SAME((mine ? mine - x : -1) == (real ? real - y : -1));
        SAME((p ? p - x : -1) == (q ? q - y : -1));
    } while (p);
    SAME(memcmp(x, y, sizeof x) == 0);
    char *mine = x, *real = y, *m, *r;
    memcpy(x, a, sizeof x);
    memcpy(y, a, sizeof y);
    do {
        mine = model_strtok_r(mine, ", ", &m);
        real = strtok_r(real, ", ", &r);
        SAME((mine ? mine - x : -1) == (real ? real - y : -1) && m - x == r - y);
        any = mine != 0;
        mine = real = 0;
    } while (any);
}

#define CONVERTED(name)                                     \
    do {                                                    \
        char *x = a, *y = a;                                \
        *model___errno_location() = errno = 0;              \
        __typeof__(name(a, 0, 0)) mine = model_##name(a, &x, base), real = name(a, &y, base); \
        SAME(mine == real && x == y && *model___errno_location() == errno); \
    } while (0)

static void conversions(void)
{
    static const int bases[] = {0, 10, 16, 8, 2, 36, 3, 1, -5, 37};
    static const char *const limits[] = {
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616",
        "0x7fffffffffffffff", "0xffffffffffffffff", "0x10000000000000000", "2147483648", "-2147483649",
        "99999999999999999999999999999x", "0x", "0xg", "0b1", " \t\n\v\f\r-0X1fz", "- 1", "+-1", "", "00", "08"
    };
    int base = bases[below(10)];
    if (below(4) == 0)
        strcpy(a, limits[below(sizeof limits / sizeof *limits)]);
    else
        random_text(a, 24, below(2) ? "0123456789" : " \t-+0x1f9zgb/:@`{");
    CONVERTED(strtol);
    CONVERTED(strtoll);
    CONVERTED(strtoul);
    CONVERTED(strtoull);
    CONVERTED(strtoimax);
    CONVERTED(strtoumax);
    SAME(model_atoi(a) == atoi(a));
    SAME(model_atol(a) == atol(a));
    SAME(model_atoll(a) == atoll(a));
}

static long number(unsigned bits)
{
    long n = (long)(next() >> (64 - 1 - below(bits)));
    return below(2) ? n : -n;
}

static void integers(void)
{
    long n = number(63), m = number(63);
    int i = (int)number(31), j = (int)number(31);
    m += m == 0;
    j += j == 0;
    a[0] = b[0] = 0;
    SAME(model_abs(i) == abs(i) && model_labs(n) == labs(n) && model_llabs(n) == llabs(n));
    SAME(model_ffs(i) == ffs(i) && model_ffsl(n) == ffsl(n) && model_ffsll(n) == ffsll(n));
    div_t x = model_div(i, j), y = div(i, j);
    SAME(x.quot == y.quot && x.rem == y.rem);
    ldiv_t lx = model_ldiv(n, m), ly = ldiv(n, m);
    SAME(lx.quot == ly.quot && lx.rem == ly.rem);
    lldiv_t llx = model_lldiv(n, m), lly = lldiv(n, m);
    SAME(llx.quot == lly.quot && llx.rem == lly.rem);
}

static int order(const void *p, const void *q)
{
    const int *x = p, *y = q;
    return *x / 2 < *y / 2 ? -1 : *x / 2 > *y / 2;
}

static int strict(const void *p, const void *q)
{
    const int *x = p, *y = q;
    return (*x > *y) - (*x < *y);
}

static void sorting(void)
{
    int x[12], y[12], n = (int)below(13);
    for (int i = 0; i < n; i++)
        x[i] = y[i] = (int)below(16);
    model_qsort(x, (size_t)n, sizeof *x, strict);
    qsort(y, (size_t)n, sizeof *y, strict);
    SAME(memcmp(x, y, (size_t)n * sizeof *x) == 0);
    int key = (int)below(16);
    SAME(model_bsearch(&key, x, (size_t)n, sizeof *x, order) == bsearch(&key, x, (size_t)n, sizeof *x, order));
}

#define KIND(name)                                                       \
    do {                                                                 \
        int model_##name(int);                                           \
        int (*volatile real)(int) = (name);                              \
        for (int c = -1; c < 256; c++)                                   \
            SAME(model_##name(c) == real(c));                            \
    } while (0)

static void kinds(void)
{
    KIND(isupper);
    KIND(islower);
    KIND(isalpha);
    KIND(isdigit);
    KIND(isxdigit);
    KIND(isspace);
    KIND(isprint);
    KIND(isgraph);
    KIND(isblank);
    KIND(iscntrl);
    KIND(ispunct);
    KIND(isalnum);
    KIND(isascii);
    KIND(toascii);
    KIND(toupper);
    KIND(tolower);
    for (int c = -128; c < 256; c++) {
        SAME((*model___ctype_b_loc())[c] == (*__ctype_b_loc())[c]);
        SAME((*model___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c]);
        SAME((*model___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c]);
    }
}

double special_number(void)
{
    static const double some[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 4503599627370495.5, 9007199254740993.0,
                                  1e300, -1e300, 5e-324, 2.3e-308, INFINITY, -INFINITY, NAN, 0.49999999999999994};
    double x;
    uint64_t bits = next();
    switch (below(3)) {
    case 0: return some[below(sizeof some / sizeof *some)];
    case 1: return (double)number(40) / 8;
    /* What a signalling NaN does is left open. */
    default: memcpy(&x, &bits, sizeof x); return x != x ? NAN : x;
    }
}

/* The same bits; NaNs are all the same. */
static int same(double x, double y)
{
    return (x != x && y != y) || (x == y && signbit(x) == signbit(y));
}

#define UNARY(name)                                                           \
    do {                                                                      \
        double model_##name(double), (*volatile real)(double) = name;         \
        float model_##name##f(float), (*volatile realf)(float) = name##f;     \
        SAME(same(model_##name(x), real(x)));                                 \
        SAME(same(model_##name##f((float)x), realf((float)x)));               \
    } while (0)

#define BINARY(name)                                                          \
    do {                                                                      \
        double model_##name(double, double), (*volatile real)(double, double) = name;  \
        float model_##name##f(float, float), (*volatile realf)(float, float) = name##f; \
        SAME(same(model_##name(x, y), real(x, y)));                           \
        SAME(same(model_##name##f((float)x, (float)y), realf((float)x, (float)y))); \
    } while (0)

#define ROUNDED(type, name)                                                   \
    do {                                                                      \
        type model_##name(double), (*volatile real)(double) = name;           \
        type model_##name##f(float), (*volatile realf)(float) = name##f;      \
        if (fabs(x) < 9e18)                                                   \
            SAME(model_##name(x) == real(x) && model_##name##f((float)x) == realf((float)x)); \
    } while (0)

static void numbers(void)
{
    double x = special_number(), y = special_number();
    a[0] = b[0] = 0;
    UNARY(fabs);
    UNARY(floor);
    UNARY(ceil);
    UNARY(trunc);
    UNARY(round);
    UNARY(rint);
    UNARY(nearbyint);
    *model___errno_location() = errno = 0;
    UNARY(sqrt);
    SAME(*model___errno_location() == errno);
    BINARY(copysign);
    BINARY(fmin);
    BINARY(fmax);
    BINARY(fdim);
    ROUNDED(long, lround);
    ROUNDED(long long, llround);
    ROUNDED(long, lrint);
    ROUNDED(long long, llrint);
    int model___isnan(double), model___isinf(double), model___finite(double), model___signbit(double);
    int model___fpclassify(double), model___fpclassifyf(float), model___isinff(float), model___finitef(float);
    SAME(model___isnan(x) == __isnan(x) && model___isinf(x) == __isinf(x));
    SAME(!model___finite(x) == !__finite(x) && !model___signbit(x) == !__signbit(x));
    SAME(model___isinff((float)x) == __isinff((float)x) && !model___finitef((float)x) == !__finitef((float)x));
    SAME(model___fpclassify(x) == __fpclassify(x) && model___fpclassifyf((float)x) == __fpclassifyf((float)x));
}

static void parts_of_numbers(void)
{
    double model_frexp(double, int *), model_ldexp(double, int), model_scalbn(double, int);
    double model_modf(double, double *), model_difftime(time_t, time_t);
    double x = special_number(), whole = 0, real_whole = 0;
    int n = below(4) ? (int)below(2300) - 1150 : (int)number(31), e = 0, real_e = 0;
    a[0] = b[0] = 0;
    *model___errno_location() = errno = 0;
    SAME(same(model_ldexp(x, n), ldexp(x, n)) && *model___errno_location() == errno);
    SAME(same(model_scalbn(x, n), scalbn(x, n)));
    SAME(same(model_frexp(x, &e), frexp(x, &real_e)) && e == real_e);
    SAME(same(model_modf(x, &whole), modf(x, &real_whole)) && same(whole, real_whole));
    time_t first = number(62), last = number(62);
    SAME(model_difftime(first, last) == difftime(first, last));
}

static void remainders(void)
{
    double model_fmod(double, double), model_remainder(double, double), model_nextafter(double, double);
    double model_drem(double, double), model_fma(double, double, double);
    float model_fmodf(float, float), model_remainderf(float, float), model_nextafterf(float, float);
    float model_dremf(float, float), model_fmaf(float, float, float), model_ldexpf(float, int);
    float model_frexpf(float, int *), model_modff(float, float *), model_scalbnf(float, int);
    double x = special_number(), y = special_number(), z = special_number();
    float p = (float)x, q = (float)y, whole = 0, real_whole = 0;
    int n = (int)below(700) - 350, e = 0, real_e = 0;
    if (below(2))
        y = x * (double)(below(2000) + 1) / 16;
    if (below(2))
        q = p / (float)(below(2000) + 1);
    a[0] = b[0] = 0;
#define WITH_ERRNO(one, other)                                                                                         \
    *model___errno_location() = errno = 0;                                                                             \
    SAME(same(one, other) && *model___errno_location() == errno)
    WITH_ERRNO(model_fmod(x, y), fmod(x, y));
    /* Of such small numbers glibc may say 0 with the wrong sign. */
    if (fabs(y) >= 0x1p-970 || remainder(x, y) != 0) {
        WITH_ERRNO(model_remainder(x, y), remainder(x, y));
        WITH_ERRNO(model_drem(x, y), drem(x, y));
    }
    WITH_ERRNO(model_nextafter(x, y), nextafter(x, y));
    WITH_ERRNO(model_fmodf(p, q), fmodf(p, q));
    WITH_ERRNO(model_remainderf(p, q), remainderf(p, q));
    WITH_ERRNO(model_dremf(p, q), dremf(p, q));
    WITH_ERRNO(model_nextafterf(p, q), nextafterf(p, q));
    WITH_ERRNO(model_ldexpf(p, n), ldexpf(p, n));
    SAME(same(model_fma(x, y, z), fma(x, y, z)) && same(model_fmaf(p, q, (float)z), fmaf(p, q, (float)z)));
    SAME(same(model_scalbnf(p, n), scalbnf(p, n)));
    SAME(same(model_frexpf(p, &e), frexpf(p, &real_e)) && e == real_e);
    SAME(same(model_modff(p, &whole), modff(p, &real_whole)) && same(whole, real_whole));
}

static void streams(void)
{
    char x[64], y[64];
    random_text(a, 30, "ab\n");
    b[0] = 0;
    FILE *file = fmemopen(a, strlen(a) + !*a, "r");
    if (!file || !*a) {
        if (file)
            fclose(file);
        return;
    }
    input = a;
    model_rewind(stdin);
    for (int more = 1; more;) {
        int room = 1 + (int)below(8);
        memset(x, 1, sizeof x);
        memset(y, 1, sizeof y);
        switch (below(4)) {
        case 3: {
            int byte = 1 + (int)below(255);
            SAME(model_ungetc(byte, stdin) == ungetc(byte, file));
            SAME(model_getc(stdin) == getc(file) && !model_feof(stdin) == !feof(file));
            break;
        }
        case 0: {
            more = model_fgets(x, room, stdin) != 0;
            SAME(more == (fgets(y, room, file) != 0));
            break;
        }
        case 1: {
            size_t n = model_fread(x, 3, (size_t)room, stdin);
            SAME(n == fread(y, 3, (size_t)room, file));
            more = n != 0;
            break;
        }
        default: more = model_getchar(); SAME(more == fgetc(file)); more = more >= 0;
        }
        if (more)
            SAME(memcmp(x, y, sizeof x) == 0);
    }
    fclose(file);
    SAME(model_putchar(-3) == 253);
}

static void allocation(void)
{
    void *p = 0, *q = 0;
    a[0] = b[0] = 0;
    SAME(model_posix_memalign(&p, 24, 8) == posix_memalign(&q, 24, 8));
    SAME(model_posix_memalign(&p, 2, 8) == posix_memalign(&q, 2, 8));
    SAME(model_posix_memalign(&p, 64, 8) == posix_memalign(&q, 64, 8));
    free(p);
    free(q);
    *model___errno_location() = errno = 0;
    SAME(!model_reallocarray(0, SIZE_MAX / 2, 3) && !reallocarray(0, SIZE_MAX / 2, 3));
    SAME(*model___errno_location() == errno);
}

int compare_options(void);
unsigned long compare_wide_strings(void);

static void options_of_the_command_line(void)
{
    compared += compare_options();
}

int main(void)
{
    kinds();
    allocation();
    formats();
    for (int i = 0; i < 20000; i++) {
        searches();
        copies();
        tokens();
        conversions();
        integers();
        sorting();
        numbers();
        parts_of_numbers();
        remainders();
        streams();
        options_of_the_command_line();
        compared += compare_wide_strings();
    }
    printf("%lu comparisons\n", compared);
    return 0;
}
