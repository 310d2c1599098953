/* Locks, as one thread sees them: nobody waits. All that is done with one may fail; the error is what is returned. */
int __footpath_any_int(void);

static int some_error(void)
{
    return __footpath_any_int() & 4095;
}

int pthread_mutex_init(void *lock, const void *kind)
{
    (void)lock;
    (void)kind;
    return some_error();
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
