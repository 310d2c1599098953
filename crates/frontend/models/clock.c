/* Times are inputs, and so is what they are in a calendar. */
typedef __SIZE_TYPE__ size_t;
typedef long time_t;
struct timespec { time_t seconds; long nanoseconds; };
typedef struct { int second, minute, hour, day, month, year, week_day, year_day, summer; long east; const char *zone; } calendar;
struct timeval { time_t seconds; long microseconds; };

int __footpath_any_int(void);
long __footpath_any_long(void);
long __footpath_long_answer(void);
int __footpath_success(void);
unsigned char __footpath_any_1(void);
void footpath_assume(int holds);

static long below_bound(long bound)
{
    long n = __footpath_any_long();
    footpath_assume((n >= 0) & (n < bound));
    return n;
}

time_t time(time_t *to)
{
    time_t now = __footpath_long_answer();
    if (to)
        *to = now;
    return now;
}

int clock_gettime(int which, struct timespec *to)
{
    (void)which;
    if (__footpath_success())
        return -1;
    to->seconds = __footpath_any_long();
    footpath_assume(to->seconds >= 0);
    to->nanoseconds = below_bound(1000000000);
    return 0;
}

int gettimeofday(struct timeval *to, void *zone)
{
    (void)zone;
    if (__footpath_success())
        return -1;
    to->seconds = __footpath_any_long();
    footpath_assume(to->seconds >= 0);
    to->microseconds = below_bound(1000000);
    return 0;
}

long clock(void)
{
    long n = __footpath_any_long();
    footpath_assume(n >= -1);
    return n;
}

static int number_within(int least, int most)
{
    int n = __footpath_any_int();
    footpath_assume((n >= least) & (n <= most));
    return n;
}

static void fill_calendar(calendar *to)
{
    static char zone[8];
    for (int i = 0; i < 7; i++)
        zone[i] = (char)__footpath_any_1();
    to->second = number_within(0, 60);
    to->minute = number_within(0, 59);
    to->hour = number_within(0, 23);
    to->day = number_within(1, 31);
    to->month = number_within(0, 11);
    to->year = __footpath_any_int();
    to->week_day = number_within(0, 6);
    to->year_day = number_within(0, 365);
    to->summer = number_within(-1, 1);
    to->east = number_within(-89999, 89999);
    to->zone = zone;
}

calendar *localtime_r(const time_t *time, calendar *to)
{
    time_t now = *time;
    /* Some 2 000 million years from now, a year may be too large for its place. */
    int is_far = (now < -67768000000000000) | (now > 67768000000000000);
    if (is_far && __footpath_success())
        return 0;
    fill_calendar(to);
    return to;
}

calendar *gmtime_r(const time_t *time, calendar *to)
{
    return localtime_r(time, to);
}

calendar *localtime(const time_t *time)
{
    static calendar broken_down;
    return localtime_r(time, &broken_down);
}

calendar *gmtime(const time_t *time)
{
    return localtime(time);
}

time_t mktime(calendar *broken_down)
{
    if (__footpath_success())
        return -1;
    fill_calendar(broken_down);
    return __footpath_any_long();
}

time_t timegm(calendar *broken_down)
{
    return mktime(broken_down);
}

/* The text is an input; what does not fit is not there. */
size_t strftime(char *to, size_t room, const char *format, const calendar *broken_down)
{
    int second = broken_down->second;
    char first = *format;
    (void)second;
    (void)first;
    if (room == 0)
        return 0;
    /* Of a text that does not fit, any part may be there, and no end. */
    if (__footpath_any_int() < 0) {
        for (size_t n = 0; n < room; n++)
            to[n] = (char)__footpath_any_1();
        return 0;
    }
    for (size_t n = 0; n + 1 < room; n++) {
        to[n] = (char)__footpath_any_1();
        if (!to[n])
            return n;
    }
    to[room - 1] = 0;
    return room - 1;
}

double difftime(time_t last, time_t first)
{
    return last < first ? -(double)((unsigned long)first - (unsigned long)last)
                        : (double)((unsigned long)last - (unsigned long)first);
}
