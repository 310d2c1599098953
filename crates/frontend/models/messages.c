/* Messages of the system: what they say is its choice, and so an input; none is empty. */
unsigned char __footpath_any_1(void);
void footpath_assume(int holds);

enum { LONGEST_MESSAGE = 256 };

char *strerror(int error)
{
    static char message[LONGEST_MESSAGE];
    (void)error;
    int n = 0;
    while (n < LONGEST_MESSAGE - 1) {
        char c = (char)__footpath_any_1();
        footpath_assume(c != 0 || n > 0);
        message[n] = c;
        if (!c)
            return message;
        n++;
    }
    message[n] = 0;
    return message;
}

char *strsignal(int number)
{
    return strerror(number);
}
