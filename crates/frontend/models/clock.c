/* Times are inputs. */
typedef long time_t;
struct timespec { time_t seconds; long nanoseconds; };
struct timeval { time_t seconds; long microseconds; };

long __footpath_any_long(void);
void footpath_assume(int holds);

static long below_bound(long bound)
{
    long n = __footpath_any_long();
    footpath_assume((n >= 0) & (n < bound));
    return n;
}

time_t time(time_t *to)
{
    time_t now = __footpath_any_long();
    footpath_assume(now >= 0);
    if (to)
        *to = now;
    return now;
}

int clock_gettime(int which, struct timespec *to)
{
    (void)which;
    to->seconds = __footpath_any_long();
    footpath_assume(to->seconds >= 0);
    to->nanoseconds = below_bound(1000000000);
    return 0;
}

int gettimeofday(struct timeval *to, void *zone)
{
    (void)zone;
    to->seconds = __footpath_any_long();
    footpath_assume(to->seconds >= 0);
    to->microseconds = below_bound(1000000);
    return 0;
}
