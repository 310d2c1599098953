/* Where the library waits, others run and write what they can reach. */
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

void set(int n)
{
    pthread_mutex_lock(&lock);
    ready = n;
    pthread_mutex_unlock(&lock);
}

int locks(void)
{
    ready = 0;
    pthread_mutex_lock(&lock);
    if (ready == 4)
        return 1; //@ may run
    return 0; //@ covered
}

int waits(sem_t *s)
{
    ready = 0;
    sem_trywait(s);
    if (ready == 4)
        return 1; //@ may run
    return 0; //@ covered
}

int sleeps(void)
{
    ready = 0;
    sleep(1);
    if (ready == 4)
        return 1; //@ may run
    return 0; //@ covered
}

int fills(int child)
{
    int status = 0;
    waitpid(child, &status, WNOHANG);
    if (status == 4)
        return 1; //@ may run
    return 0; //@ covered
}

int unlocks(void)
{
    ready = 3;
    pthread_mutex_unlock(&lock);
    if (ready != 3)
        return 1; //@ unreachable
    return 0; //@ covered
}
