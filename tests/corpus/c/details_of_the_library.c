/* Details in which models of the library could differ from it. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int letter_without_a_sign(char c)
{
    if (toupper(c) > 127)
        return 1; //@ covered
    if (tolower(c) < -1)
        return 2; //@ unreachable
    return 0;
}

int too_far_apart(double x)
{
    errno = 0;
    double d = fdim(x, -1e308);
    if (errno == ERANGE)
        return 1; //@ may run
    return d > 0;
}

int too_large(double x)
{
    errno = 0;
    double d = scalbn(x, 1030);
    if (errno == ERANGE)
        return 1; //@ covered
    return d > 0;
}

int too_small(void)
{
    errno = 0;
    double d = strtod("1e-400", 0);
    if (errno == ERANGE && d < 1)
        return 1; //@ may run
    return 0;
}

int two_messages(void)
{
    char *first = strerror(1), *second = strerror(2);
    if (first != second)
        return 1; //@ may run
    return 0;
}

int parent_elsewhere(void)
{
    if (getppid() == 0)
        return 1; //@ covered
    return 0;
}

int nowhere_to_read_to(void)
{
    size_t room = 0;
    char **line = 0;
    errno = 0;
    if (getline(line, &room, stdin) == -1 && errno == EINVAL)
        return 1; //@ covered
    return 0; //@ unreachable
}

int new_lock(void)
{
    pthread_mutex_t lock;
    memset(&lock, 0xff, sizeof lock);
    if (pthread_mutex_init(&lock, 0))
        return -1;
    if (((char *)&lock)[0] == 0)
        return 1; //@ covered
    return 0; //@ unreachable
}

int written_from_before(void)
{
    char text[8] = "abcdefg";
    char *p = text;
    return (int)fwrite(p - 1, 1, 9, stdout); //@ fails bounds
}

int sent_from_before(void)
{
    char text[8] = "abcdefg";
    char *p = text;
    return (int)write(1, p - 1, 9); //@ fails bounds
}

int date_that_does_not_fit(const struct tm *when)
{
    char text[4];
    memset(text, 'x', sizeof text);
    if (strftime(text, sizeof text, "%Y-%m-%d", when) == 0 && !memchr(text, 0, sizeof text))
        return 1; //@ covered
    return 0;
}

int pushed_back(int c)
{
    if (c != EOF && c < 0 && ungetc(c, stdin) != EOF)
        return 1; //@ covered
    return 0;
}

int result_and_seed(unsigned seed)
{
    int result = rand_r(&seed);
    if ((unsigned)result != (seed & 0x7fffffff))
        return 1; //@ covered
    return 0;
}

int arguments_by_number(int a, int b)
{
    char buf[16];
    if (a < 0 || a > 99 || b < 0 || b > 99)
        return -1;
    snprintf(buf, sizeof buf, "%2$d-%1$d", a, b);
    if (strcmp(buf, "42-7") == 0)
        return 1; //@ covered
    if (strcmp(buf, "7 42") == 0)
        return 2; //@ unreachable?
    return 0;
}

int widest_negative_width(char out[16], int width)
{
    int n = snprintf(out, 16, "%*d", width, 5); //@ holds? overflow
    return n;
}

int sum_of_lengths(int x)
{
    int n = printf("%d", x);
    n += printf("=%d", x); //@ holds? overflow
    if (n > 10000)
        return 1; //@ unreachable?
    return n == 7 ? 2 : 0;
}
