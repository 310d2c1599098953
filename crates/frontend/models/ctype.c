/* Kinds of characters in the C locale. Truth is the bit that glibc's table has for the kind; computed without a
   branch, so that asking is no path of its own. Asking for the kind of anything but -128 to 255 is an access beyond
   that table. */

static const char table[384];

static void look_up(int c)
{
    char entry = (table + 128)[c];
    (void)entry;
}

static int within(int c, int first, int last)
{
    return (unsigned)c - (unsigned)first <= (unsigned)last - (unsigned)first;
}

int isupper(int c)
{
    look_up(c);
    return within(c, 'A', 'Z') << 8;
}

int islower(int c)
{
    look_up(c);
    return within(c, 'a', 'z') << 9;
}

int isalpha(int c)
{
    look_up(c);
    return within(c | 32, 'a', 'z') << 10;
}

int isdigit(int c)
{
    look_up(c);
    return within(c, '0', '9') << 11;
}

int isxdigit(int c)
{
    look_up(c);
    return (within(c, '0', '9') | within(c | 32, 'a', 'f')) << 12;
}

int isspace(int c)
{
    look_up(c);
    return (within(c, '\t', '\r') | (c == ' ')) << 13;
}

int isprint(int c)
{
    look_up(c);
    return within(c, ' ', '~') << 14;
}

int isgraph(int c)
{
    look_up(c);
    return within(c, '!', '~') << 15;
}

int isblank(int c)
{
    look_up(c);
    return (c == ' ') | (c == '\t');
}

int iscntrl(int c)
{
    look_up(c);
    return (within(c, 0, 31) | (c == 127)) << 1;
}

int ispunct(int c)
{
    look_up(c);
    return (within(c, '!', '/') | within(c, ':', '@') | within(c, '[', '`') | within(c, '{', '~')) << 2;
}

int isalnum(int c)
{
    look_up(c);
    return (within(c, '0', '9') | within(c | 32, 'a', 'z')) << 3;
}

int isascii(int c)
{
    return within(c, 0, 127);
}

int toascii(int c)
{
    return c & 127;
}

/* The library's tables have the characters from -128 on, and there the same bytes without a sign, but for EOF. */
int toupper(int c)
{
    return c - (within(c, 'a', 'z') << 5) + (within(c, -128, -2) << 8);
}

int tolower(int c)
{
    return c + (within(c, 'A', 'Z') << 5) + (within(c, -128, -2) << 8);
}

int _toupper(int c)
{
    return toupper(c);
}

int _tolower(int c)
{
    return tolower(c);
}
