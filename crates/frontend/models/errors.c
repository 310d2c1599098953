/* Errors that end a program if they are to. What is written is nobody's business. */
void exit(int status);

static void look_at_format(const char *format)
{
    char first = *format;
    (void)first;
}

void error(int status, int number, const char *format, ...)
{
    (void)number;
    look_at_format(format);
    if (status)
        exit(status);
}

void error_at_line(int status, int number, const char *file, unsigned int line, const char *format, ...)
{
    (void)number;
    (void)file;
    (void)line;
    look_at_format(format);
    if (status)
        exit(status);
}
