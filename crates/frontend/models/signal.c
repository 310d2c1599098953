/* Nothing interrupts the program, so handlers are never called. */
typedef void (*handler)(int);

handler signal(int number, handler wanted)
{
    (void)number;
    (void)wanted;
    return 0;
}

handler __sysv_signal(int number, handler wanted)
{
    (void)number;
    (void)wanted;
    return 0;
}

int atexit(void (*last)(void))
{
    (void)last;
    return 0;
}
