/* The locale is the user's to choose: how it writes numbers is any text. Characters are classified as in the C locale all
   the same. */

typedef unsigned long long chunk;

chunk __footpath_any_8(void);
void *memcpy(void *to, const void *from, __SIZE_TYPE__ size);

/* As glibc has it. */
typedef struct {
    char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
    char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
    char kinds[14];
} locale_conventions;

locale_conventions *localeconv(void)
{
    static char texts[10][8];
    static locale_conventions conventions;
    for (int i = 0; i < 10; i++) {
        chunk some = __footpath_any_8();
        memcpy(texts[i], &some, sizeof some);
        texts[i][7] = 0;
    }
    /* It alone is never empty. */
    if (!texts[0][0])
        texts[0][0] = '.';
    conventions.decimal_point = texts[0];
    conventions.thousands_sep = texts[1];
    conventions.grouping = texts[2];
    conventions.int_curr_symbol = texts[3];
    conventions.currency_symbol = texts[4];
    conventions.mon_decimal_point = texts[5];
    conventions.mon_thousands_sep = texts[6];
    conventions.mon_grouping = texts[7];
    conventions.positive_sign = texts[8];
    conventions.negative_sign = texts[9];
    for (int i = 0; i < 14; i += 7) {
        chunk some = __footpath_any_8();
        memcpy(conventions.kinds + i, &some, 7);
    }
    return &conventions;
}
