/* The system answers as it likes: signals, terminals, locks, clocks, files. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>

static void handler(int number) { (void)number; }

int install(void)
{
    void (*before)(int) = signal(SIGINT, SIG_IGN);
    if (before == SIG_ERR)
        return 2; //@ covered
    if (before != SIG_IGN)
        return signal(SIGINT, handler) != SIG_ERR; //@ covered
    return 0; //@ covered
}

int width(void)
{
    struct winsize size;
    memset(&size, 0, sizeof size);
    if (ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col; //@ covered
    return 80; //@ covered
}

int locked(int which)
{
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    if (fcntl(which, F_GETLK, &lock) < 0)
        return -1; //@ covered
    if (lock.l_pid == 5)
        return 2; //@ covered
    return 0; //@ covered
}

int lock(void)
{
    pthread_mutex_t mutex;
    if (pthread_mutex_init(&mutex, 0) != 0)
        return 1; //@ covered
    if (pthread_mutex_lock(&mutex))
        return 2; //@ covered
    return 0; //@ covered
}

int now(void)
{
    struct timespec t;
    struct timeval v;
    if (clock_gettime(CLOCK_MONOTONIC, &t))
        return 1; //@ covered
    if (gettimeofday(&v, 0))
        return 3; //@ covered
    if (time(0) == (time_t)-1)
        return 2; //@ covered
    return 0; //@ covered
}

int zone(time_t t)
{
    struct tm *broken_down = localtime(&t);
    if (!broken_down)
        return 4; //@ covered
    if (broken_down->tm_gmtoff == 3600)
        return 1; //@ covered
    if (broken_down->tm_isdst < 0)
        return 3; //@ covered
    return 0; //@ covered
}

int difference(const char *one, const char *other)
{
    FILE *a = fopen(one, "r"), *b = fopen(other, "r");
    int n = 0;
    if (!a || !b)
        return -1; //@ covered
    while (getc(a) != EOF)
        n++; //@ covered
    while (getc(b) != EOF)
        n--; //@ covered
    if (n < 0)
        return 1; //@ covered
    return 0; //@ covered
}

int which_ends(FILE *one, FILE *other)
{
    if (feof(one))
        return 0; //@ covered
    while (getc(one) != EOF)
        ;
    if (feof(other))
        return 1; //@ covered
    return 2; //@ covered
}
