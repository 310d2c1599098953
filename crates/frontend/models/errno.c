/* The number of the last error. */

int *__errno_location(void)
{
    static int number;
    return &number;
}
