/* One line of an INI file: a section, a comment, `key=value`, or nothing. */

enum line { LINE_EMPTY, LINE_COMMENT, LINE_SECTION, LINE_PAIR, LINE_BAD };

enum line line_kind(char first, int has_equals, int has_bracket)
{
    if (first == '\0')
        return LINE_EMPTY; //@ covered
    if (first == '#' || first == ';')
        return LINE_COMMENT; //@ covered
    if (first == '[') {
        if (has_bracket)
            return LINE_SECTION; //@ covered
        return LINE_BAD; //@ covered
    }
    if (has_equals)
        return first == '[' ? LINE_BAD : LINE_PAIR; //@ covered
    return LINE_BAD; //@ covered
}

/* The place of the `=` in a line of at most `size` characters, or -1. */
int find_equals(const char line[4])
{
    for (int i = 0; i < 4; i++) {
        if (line[i] == '=')
            return i; //@ covered
        if (line[i] == '\0')
            return -1; //@ covered
    }
    return -1; //@ covered
}
