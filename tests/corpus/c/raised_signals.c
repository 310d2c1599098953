/* A handler of signals runs where the program raises one. This one does nothing where there is no handler. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t flag;
static int plain;

static void handler(int number)
{
    flag = number;
    plain = 7;
}

int raised(int n)
{
    signal(SIGURG, handler);
    flag = 0;
    raise(SIGURG);
    if (flag)
        return 1; //@ may run
    return n; //@ may run
}

int raised_plain(void)
{
    signal(SIGURG, handler);
    plain = 0;
    raise(SIGURG);
    if (plain == 7)
        return 1; //@ may run
    return 2; //@ may run
}

int acted(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGURG, &action, 0);
    flag = 0;
    kill(getpid(), SIGURG);
    if (flag)
        return 1; //@ may run
    return 2; //@ may run
}

/* Nobody can name a handler that is static and that the program gives to nobody. */
static int own;

int ignored(int n)
{
    own = 1;
    raise(SIGURG);
    if (own != 1)
        return 1; //@ unreachable?
    return n; //@ covered
}
