/* The tokens of an arithmetic expression. */

enum token { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_OPERATOR, TOKEN_ERROR };

struct lexer {
    const char *at;
    int value;
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9'; //@ covered
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; //@ covered
}

enum token classify(char c)
{
    if (c == '\0')
        return TOKEN_END; //@ covered
    if (is_digit(c))
        return TOKEN_NUMBER; //@ covered
    if (is_letter(c))
        return TOKEN_NAME; //@ covered
    switch (c) {
    case '+':
    case '-':
    case '*':
    case '/':
        return TOKEN_OPERATOR; //@ covered
    case '7':
        return TOKEN_NUMBER; //@ unreachable
    default:
        return TOKEN_ERROR; //@ covered
    }
}

/* The value of a number of at most four digits. The text ends in a zero, which is no digit. */
int number(const char *text, int length)
{
    int value = 0;

    if (!text || length < 1 || length > 4)
        return -1; //@ covered
    for (int i = 0; i < length; i++) {
        if (!is_digit(text[i])) //@ holds bounds
            return -1; //@ covered
        value = value * 10 + (text[i] - '0'); //@ holds overflow
    }
    return value; //@ covered
}
