/* The table behind the macros of ctype.h: the kinds of the characters -128..255 in the C locale. Nothing beyond
   127 is of any kind. */
enum {
    UPPER = 1 << 8,
    LOWER = 1 << 9,
    ALPHA = 1 << 10,
    DIGIT = 1 << 11,
    XDIGIT = 1 << 12,
    SPACE = 1 << 13,
    PRINT = 1 << 14,
    GRAPH = 1 << 15,
    BLANK = 1 << 0,
    CNTRL = 1 << 1,
    PUNCT = 1 << 2,
    ALNUM = 1 << 3,
    LETTER = ALPHA | PRINT | GRAPH | ALNUM,
    MARK = PRINT | GRAPH | PUNCT
};

static const unsigned short kinds[384] = {
    [128 + 0 ... 128 + 8] = CNTRL,
    [128 + '\t'] = CNTRL | SPACE | BLANK,
    [128 + '\n' ... 128 + '\r'] = CNTRL | SPACE,
    [128 + 14 ... 128 + 31] = CNTRL,
    [128 + ' '] = SPACE | BLANK | PRINT,
    [128 + '!' ... 128 + '/'] = MARK,
    [128 + '0' ... 128 + '9'] = DIGIT | XDIGIT | PRINT | GRAPH | ALNUM,
    [128 + ':' ... 128 + '@'] = MARK,
    [128 + 'A' ... 128 + 'F'] = LETTER | UPPER | XDIGIT,
    [128 + 'G' ... 128 + 'Z'] = LETTER | UPPER,
    [128 + '[' ... 128 + '`'] = MARK,
    [128 + 'a' ... 128 + 'f'] = LETTER | LOWER | XDIGIT,
    [128 + 'g' ... 128 + 'z'] = LETTER | LOWER,
    [128 + '{' ... 128 + '~'] = MARK,
    [128 + 127] = CNTRL,
};

static const unsigned short *const from_zero = kinds + 128;

const unsigned short **__ctype_b_loc(void)
{
    return (const unsigned short **)&from_zero;
}
