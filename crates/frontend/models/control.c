/* Commands to descriptors. Some fill an object; what others write is left out, and for proofs they write anything
   (`models.rs`). */
typedef __builtin_va_list va_list;

unsigned char __footpath_any_1(void);
int __footpath_answer(void);

/* As Linux numbers them, and how much they fill. */
enum { GET_LOCK = 5, LOCK_BYTES = 32, GET_WINDOW_SIZE = 0x5413, WINDOW_BYTES = 8, COUNT_WAITING = 0x541b };

static void fill_object(void *object, int size)
{
    unsigned char *to = object;
    for (int i = 0; i < size; i++)
        to[i] = __footpath_any_1();
}

static int control(int bytes, va_list more)
{
    int answer = __footpath_answer();
    if (bytes && answer >= 0)
        fill_object(__builtin_va_arg(more, void *), bytes);
    return answer;
}

#define WITH_MORE(bytes) \
    va_list more; \
    (void)which; \
    __builtin_va_start(more, command); \
    int answer = control(bytes, more); \
    __builtin_va_end(more); \
    return answer

int fcntl(int which, int command, ...)
{
    WITH_MORE(command == GET_LOCK ? LOCK_BYTES : 0);
}

int fcntl64(int which, int command, ...)
{
    WITH_MORE(command == GET_LOCK ? LOCK_BYTES : 0);
}

int ioctl(int which, unsigned long command, ...)
{
    WITH_MORE(command == GET_WINDOW_SIZE ? WINDOW_BYTES : command == COUNT_WAITING ? (int)sizeof(int) : 0);
}
