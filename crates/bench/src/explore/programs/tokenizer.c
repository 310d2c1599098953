/* The tokens of a small language: names, keywords, numbers in two bases, strings, comments, operators. */

enum token { END, NAME, IF, ELSE, WHILE, NUMBER, HEX, STRING, OPERATOR, ARROW, ERROR };

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static int is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

static int same(const char *text, int length, const char *word)
{
    int i = 0;

    while (i < length && word[i] && text[i] == word[i])
        i++;
    return i == length && !word[i];
}

static enum token keyword(const char *text, int length)
{
    if (same(text, length, "if"))
        return IF;
    if (same(text, length, "else"))
        return ELSE;
    if (same(text, length, "while"))
        return WHILE;
    return NAME;
}

static enum token next(const char *text, int length, int *at)
{
    int from;

    for (;;) {
        while (*at < length && (text[*at] == ' ' || text[*at] == '\n'))
            ++*at;
        if (*at + 1 < length && text[*at] == '/' && text[*at + 1] == '/') {
            while (*at < length && text[*at] != '\n')
                ++*at;
            continue;
        }
        break;
    }
    if (*at >= length || !text[*at])
        return END;
    from = *at;
    if (is_letter(text[*at])) {
        while (*at < length && (is_letter(text[*at]) || is_digit(text[*at])))
            ++*at;
        return keyword(text + from, *at - from);
    }
    if (text[*at] == '0' && *at + 1 < length && text[*at + 1] == 'x') {
        *at += 2;
        if (*at >= length || !is_hex(text[*at]))
            return ERROR;
        while (*at < length && is_hex(text[*at]))
            ++*at;
        return HEX;
    }
    if (is_digit(text[*at])) {
        while (*at < length && is_digit(text[*at]))
            ++*at;
        return NUMBER;
    }
    if (text[*at] == '"') {
        ++*at;
        while (*at < length && text[*at] != '"') {
            if (text[*at] == '\\')
                ++*at;
            ++*at;
        }
        if (*at >= length)
            return ERROR;
        ++*at;
        return STRING;
    }
    ++*at;
    switch (text[from]) {
    case '-':
        if (*at < length && text[*at] == '>') {
            ++*at;
            return ARROW;
        }
        return OPERATOR;
    case '+':
    case '*':
    case '/':
    case '=':
        return OPERATOR;
    default:
        return ERROR;
    }
}

/* 2 for `if NAME -> NUMBER`, 1 for other tokens without an error, 0 else. */
int tokenize(const char *text, int length)
{
    enum token seen[8];
    int at = 0, count = 0;

    if (!text || length < 0 || length > 8)
        return 0;
    for (;;) {
        enum token token = next(text, length, &at);
        if (token == ERROR)
            return 0;
        if (token == END)
            break;
        seen[count++] = token;
    }
    if (count == 4 && seen[0] == IF && seen[1] == NAME && seen[2] == ARROW && seen[3] == NUMBER)
        return 2;
    return 1;
}
