/* Compares the models of functions of wide characters with the library's on random strings; see harness.c. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "harness.h"

#define SAME(condition)                                                     \
    do {                                                                    \
        count++;                                                            \
        if (!(condition)) {                                                 \
            printf("wide.c:%d: %s, a = \"%ls\", b = \"%ls\"\n", __LINE__, #condition, a, b); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

#define D(type, name, ...) type model_##name(__VA_ARGS__)
D(size_t, wcslen, const wchar_t *);
D(size_t, wcsnlen, const wchar_t *, size_t);
D(int, wcscmp, const wchar_t *, const wchar_t *);
D(int, wcscoll, const wchar_t *, const wchar_t *);
D(int, wcsncmp, const wchar_t *, const wchar_t *, size_t);
D(wchar_t *, wcschr, const wchar_t *, wchar_t);
D(wchar_t *, wcschrnul, const wchar_t *, wchar_t);
D(wchar_t *, wcsrchr, const wchar_t *, wchar_t);
D(wchar_t *, wcsstr, const wchar_t *, const wchar_t *);
D(size_t, wcsspn, const wchar_t *, const wchar_t *);
D(size_t, wcscspn, const wchar_t *, const wchar_t *);
D(wchar_t *, wcspbrk, const wchar_t *, const wchar_t *);
D(wchar_t *, wcstok, wchar_t *, const wchar_t *, wchar_t **);
D(wchar_t *, wcpcpy, wchar_t *, const wchar_t *);
D(wchar_t *, wcscpy, wchar_t *, const wchar_t *);
D(wchar_t *, wcpncpy, wchar_t *, const wchar_t *, size_t);
D(wchar_t *, wcsncpy, wchar_t *, const wchar_t *, size_t);
D(wchar_t *, wcscat, wchar_t *, const wchar_t *);
D(wchar_t *, wcsncat, wchar_t *, const wchar_t *, size_t);
D(wchar_t *, wcsdup, const wchar_t *);
D(wchar_t *, wmemcpy, wchar_t *, const wchar_t *, size_t);
D(wchar_t *, wmempcpy, wchar_t *, const wchar_t *, size_t);
D(wchar_t *, wmemmove, wchar_t *, const wchar_t *, size_t);
D(wchar_t *, wmemset, wchar_t *, wchar_t, size_t);
D(int, wmemcmp, const wchar_t *, const wchar_t *, size_t);
D(wchar_t *, wmemchr, const wchar_t *, wchar_t, size_t);

enum { ROOM = 64 };

static wchar_t a[ROOM], b[ROOM];
static unsigned long count;

static void random_wide_text(wchar_t *to, unsigned most, const wchar_t *alphabet)
{
    unsigned n = below(most + 1), kinds = (unsigned)wcslen(alphabet);
    for (unsigned i = 0; i < n; i++)
        to[i] = alphabet[below(kinds)];
    to[n] = 0;
}

static void searches(void)
{
    /* Negative ones and those beyond 16 bits show how characters are compared. */
    static const wchar_t letters[] = {L'a', L'b', 0x10ffff, -7, 0x1061, 0};
    random_wide_text(a, 12, below(2) ? letters : L"ab");
    random_wide_text(b, 4, below(2) ? letters : L"ab");
    unsigned n = below(14);
    wchar_t c = letters[below(6)];
    SAME(model_wcslen(a) == wcslen(a));
    SAME(model_wcsnlen(a, n) == wcsnlen(a, n));
    SAME(model_wcscmp(a, b) == wcscmp(a, b));
    SAME(model_wcsncmp(a, b, n) == wcsncmp(a, b, n));
    SAME(model_wcschr(a, c) == wcschr(a, c));
    SAME(model_wcschrnul(a, c) == wcschrnul(a, c));
    SAME(model_wcsrchr(a, c) == wcsrchr(a, c));
    SAME(model_wcsstr(a, b) == wcsstr(a, b));
    SAME(model_wcsspn(a, b) == wcsspn(a, b));
    SAME(model_wcscspn(a, b) == wcscspn(a, b));
    SAME(model_wcspbrk(a, b) == wcspbrk(a, b));
    SAME(model_wmemcmp(a, b, n) == wmemcmp(a, b, n));
    SAME(model_wmemchr(a, c, n) == wmemchr(a, c, n));
    random_wide_text(a, 12, L"ab");
    random_wide_text(b, 4, L"ab");
    SAME(model_wcscoll(a, b) == wcscoll(a, b));
}

#define BOTH(mine, real)                                \
    do {                                                \
        wmemcpy(x, a, ROOM);                            \
        wmemcpy(y, a, ROOM);                            \
        wchar_t *const p = x, *const r = (mine);        \
        wchar_t *const q = y, *const s = (real);        \
        SAME(r - p == s - q);                           \
        SAME(wmemcmp(x, y, ROOM) == 0);                 \
    } while (0)

static void copies(void)
{
    wchar_t x[ROOM], y[ROOM];
    random_wide_text(a, 12, L"ab,");
    random_wide_text(b, 8, L"abc,");
    unsigned n = below(14), from = below(8), to = below(8);
    BOTH(model_wcscpy(p, b), wcscpy(q, b));
    BOTH(model_wcpcpy(p, b), wcpcpy(q, b));
    BOTH(model_wcsncpy(p, b, n), wcsncpy(q, b, n));
    BOTH(model_wcpncpy(p, b, n), wcpncpy(q, b, n));
    BOTH(model_wcscat(p, b), wcscat(q, b));
    BOTH(model_wcsncat(p, b, n), wcsncat(q, b, n));
    BOTH(model_wmemcpy(p, b, n), wmemcpy(q, b, n));
    BOTH(model_wmempcpy(p, b, n), wmempcpy(q, b, n));
    BOTH(model_wmemmove(p + to, p + from, n), wmemmove(q + to, q + from, n));
    BOTH(model_wmemset(p, 70000, n), wmemset(q, 70000, n));
    wchar_t *s = model_wcsdup(a);
    SAME(wcscmp(s, a) == 0);
    free(s);
}

static void tokens(void)
{
    wchar_t x[ROOM], y[ROOM], *rest = x, *rest_of_real = y;
    random_wide_text(a, 20, L"ab,; ");
    wmemcpy(x, a, ROOM);
    wmemcpy(y, a, ROOM);
    wchar_t *mine = x, *real = y;
    for (int i = 0; i < 12; i++) {
        random_wide_text(b, 2, L",; ");
        mine = model_wcstok(mine, b, &rest);
        real = wcstok(real, b, &rest_of_real);
        SAME((mine ? mine - x : -1) == (real ? real - y : -1));
        SAME((rest ? rest - x : -1) == (rest_of_real ? rest_of_real - y : -1));
        mine = real = 0;
    }
    SAME(wmemcmp(x, y, ROOM) == 0);
}

/* The number of comparisons made; it ends the program where the two differ. */
unsigned long compare_wide_strings(void)
{
    count = 0;
    searches();
    copies();
    tokens();
    return count;
}
