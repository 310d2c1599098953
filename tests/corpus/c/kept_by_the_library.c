/* Functions of the library that keep what they are given, write to it later, call back later, or write to the same place each
   time. What they change is known neither to tests nor to proofs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int memory_of_a_stream(void)
{
    char *text = 0;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return -1;
    size_t before = length;
    fputs("x", to);
    fclose(to);
    if (length != before)
        return 1; //@ may run
    return 0;
}

int buffer_of_a_stream(FILE *to)
{
    char buffer[BUFSIZ];
    buffer[0] = 0;
    setbuf(to, buffer);
    fputs("q", to);
    char first = buffer[0];
    fclose(to);
    if (first == 'q')
        return 1; //@ may run
    return 0;
}

/* Nothing is kept here. */
int without_a_buffer(void)
{
    int n = 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    puts("q");
    if (n != 0)
        return 1; //@ unreachable
    return 0;
}

static int written;

static ssize_t note(void *cookie, const char *text, size_t size)
{
    (void)cookie;
    (void)text;
    written = 1;
    return (ssize_t)size;
}

int stream_that_calls_back(void)
{
    cookie_io_functions_t functions = {0, note, 0, 0};
    written = 0;
    FILE *to = fopencookie(0, "w", functions);
    if (!to)
        return -1;
    fputs("a", to);
    fflush(to);
    if (written == 1)
        return 1; //@ may run
    return 0;
}

int named = 1;

int found_by_its_name(void)
{
    named = 1;
    int *at = dlsym(RTLD_DEFAULT, "named");
    if (!at)
        return -1;
    *at = 2;
    if (named == 2)
        return 1; //@ may run
    return 0;
}

int given_back(int fd)
{
    int x = 1, events = epoll_create1(0);
    struct epoll_event event = {EPOLLIN}, happened;
    event.data.ptr = &x;
    epoll_ctl(events, EPOLL_CTL_ADD, fd, &event);
    if (epoll_wait(events, &happened, 1, 0) != 1)
        return -1;
    *(int *)happened.data.ptr = 2;
    if (x == 2)
        return 1; //@ may run
    return 0;
}

int counted(void)
{
    int n = 7;
    printf("abc%n", &n);
    if (n == 3)
        return 1; //@ may run
    return 0;
}

int one_structure_for_all(void)
{
    struct passwd *user = getpwuid(0);
    if (!user)
        return -1;
    uid_t number = user->pw_uid;
    getpwuid(1);
    if (user->pw_uid != number)
        return 1; //@ may run
    return 0;
}

static volatile int stored;

int one_memory_for_two(void)
{
    stored = 0;
    if (!vfork()) {
        stored = 1;
        _exit(0);
    }
    if (stored == 1)
        return 1; //@ may run
    return 0;
}

static int handled;

static void handle(int number)
{
    handled = number;
}

int handled_when_unblocked(void)
{
    sigset_t all;
    signal(SIGUSR1, handle);
    sigemptyset(&all);
    sigaddset(&all, SIGUSR1);
    sigprocmask(SIG_BLOCK, &all, 0);
    raise(SIGUSR1);
    handled = 0;
    sigprocmask(SIG_UNBLOCK, &all, 0);
    if (handled)
        return 1; //@ may run
    return 0;
}

/* What the library writes to once, as it is called, is not what it keeps. */
int pair_of_sockets(void)
{
    int ends[2] = {0};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return -1;
    if (ends[0]) {
        close(ends[0]);
        close(ends[1]);
        return 1; //@ may run
    }
    return 0;
}

/* Whoever asks for the local time has the library find out where it is. */
int zone_of_times(void)
{
    struct tm day = {0};
    timezone = 7;
    mktime(&day);
    if (timezone != 7)
        return 1; //@ may run
    return 0;
}
