/* Locks, as one thread sees them: they are free. Whoever only tries may find one taken. */
int __footpath_any_int(void);

enum { BUSY = 16 };

int pthread_mutex_init(void *lock, const void *kind)
{
    (void)lock;
    (void)kind;
    return 0;
}

int pthread_mutex_destroy(void *lock)
{
    (void)lock;
    return 0;
}

int pthread_mutex_lock(void *lock)
{
    (void)lock;
    return 0;
}

int pthread_mutex_trylock(void *lock)
{
    (void)lock;
    return __footpath_any_int() < 0 ? BUSY : 0;
}

int pthread_mutex_unlock(void *lock)
{
    (void)lock;
    return 0;
}

int pthread_mutexattr_init(void *kind)
{
    (void)kind;
    return 0;
}

int pthread_mutexattr_settype(void *kind, int type)
{
    (void)kind;
    (void)type;
    return 0;
}

int pthread_mutexattr_destroy(void *kind)
{
    (void)kind;
    return 0;
}
