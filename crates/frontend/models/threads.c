/* Locks, as one thread sees them: nobody waits. All that is done with one may fail; the error is what is returned. */
int __footpath_any_int(void);
void *memset(void *to, int byte, __SIZE_TYPE__ count);

/* How large the library's `pthread_mutex_t` is at least, and which of its numbers says of what kind it is. */
enum { MUTEX_BYTES = sizeof(long) == 8 ? 40 : 24, KIND = sizeof(long) == 8 ? 4 : 3 };

static int some_error(void)
{
    return __footpath_any_int() & 4095;
}

int pthread_mutex_init(void *lock, const void *kind)
{
    int error = some_error();
    if (!error)
        memset(lock, 0, MUTEX_BYTES);
    if (!error && kind)
        ((int *)lock)[KIND] = __footpath_any_int();
    return error;
}

int pthread_mutex_destroy(void *lock)
{
    (void)lock;
    return some_error();
}

int pthread_mutex_lock(void *lock)
{
    (void)lock;
    return some_error();
}

int pthread_mutex_trylock(void *lock)
{
    (void)lock;
    return some_error();
}

int pthread_mutex_unlock(void *lock)
{
    (void)lock;
    return some_error();
}

int pthread_mutexattr_init(void *kind)
{
    (void)kind;
    return some_error();
}

int pthread_mutexattr_settype(void *kind, int type)
{
    (void)kind;
    (void)type;
    return some_error();
}

int pthread_mutexattr_destroy(void *kind)
{
    (void)kind;
    return some_error();
}
