/* Programs start in the C locale, and stay there: another one may be asked for and not be there. */

int __footpath_any_int(void);

enum { NOT_SAID = 127 };

/* As glibc has it. */
typedef struct {
    char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
    char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
    char kinds[14];
} locale_conventions;

char *setlocale(int category, const char *wanted)
{
    static char name[] = "C";
    (void)category;
    if (wanted && !(wanted[0] == 'C' && !wanted[1]) && __footpath_any_int() < 0)
        return 0;
    return name;
}

locale_conventions *localeconv(void)
{
    static char point[] = ".", nothing[] = "";
    static locale_conventions conventions;
    conventions.decimal_point = point;
    conventions.thousands_sep = conventions.grouping = conventions.int_curr_symbol = nothing;
    conventions.currency_symbol = conventions.mon_decimal_point = conventions.mon_thousands_sep = nothing;
    conventions.mon_grouping = conventions.positive_sign = conventions.negative_sign = nothing;
    for (int i = 0; i < 14; i++)
        conventions.kinds[i] = NOT_SAID;
    return &conventions;
}
