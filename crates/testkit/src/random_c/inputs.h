/* Random inputs of the functions of a random program, and their runs. */
static uint64_t seed = 88172645463325252u;

static uint64_t any(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed >> 3;
}

static int chance(unsigned n)
{
    return any() % n == 0;
}

static int64_t number(void)
{
    static const int64_t some[] = {0, 1, -1, 2, 3, -3, 5, 7, 8, 15, 20, 40, 100, 126, 127, 128, -128, 200, 255, 256,
                                   32767, -32768, 65535, INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1, 1 << 30};
    if (chance(3))
        return (int64_t)any();
    if (chance(2))
        return (int64_t)(any() % 300) - 150;
    return some[any() % (sizeof some / sizeof *some)];
}

static double real(void)
{
    static const double some[] = {0.0, -0.0, 0.5, 1.0, 2.5, -3.75, 7.0, 1e30, -1e300, DBL_MIN, INFINITY, NAN};
    return chance(2) ? some[any() % 12] : (double)number() / 4;
}

static int numbers[8];
static char letters[8];
static struct node nodes[2];

static int *array(long *length)
{
    *length = 0;
    if (chance(6))
        return NULL;
    *length = 1 + (long)(any() % 6);
    for (int i = 0; i < 8; i++)
        numbers[i] = (int)number();
    return numbers + 8 - *length;
}

static char *text(long *length)
{
    *length = 0;
    if (chance(6))
        return NULL;
    *length = 1 + (long)(any() % 5);
    for (int i = 0; i < 7; i++)
        letters[i] = chance(2) ? (char)("abz0"[any() % 4]) : (char)(1 + any() % 255);
    letters[7] = 0;
    return letters + 8 - *length;
}

static struct node *node(void)
{
    if (chance(5))
        return NULL;
    for (int i = 0; i < 2; i++) {
        nodes[i] = (struct node){(signed char)number(), (unsigned short)number(), (int)number(), NULL};
        nodes[i].next = chance(3) ? NULL : &nodes[any() % 2];
    }
    return &nodes[any() % 2];
}

static void reset(void);

static void begin(void)
{
    if (!initialised)
        initialise();
    reset();
    memset(counts, 0, sizeof counts);
    trail_length = most = fuel = in_condition = 0;
    asked = 1;
    said = 2;
}

/* What a run was: 1 it returned, 2 it failed, 3 it took too long, 4 the condition itself failed. The condition said of it
 * 0 no failure, 1 a failure, or 2 nothing. */
static void end(int how, int function)
{
    if (how == 1)
        for (unsigned i = 0; i < trail_length; i++)
            if (returned[trail[i]] > most)
                returned[trail[i]] = most;
    if (how == 2 && failed[failed_line][failed_kind] > most)
        failed[failed_line][failed_kind] = most;
    if (how == 1 && said == 1)
        wrong[function][0]++;
    if (how == 2 && said == 0)
        wrong[function][1]++;
    if (how == 4)
        wrong[function][2]++;
}

#define RUN(function, ...)                                                           \
    do {                                                                             \
        static volatile int how;                                                     \
        begin();                                                                     \
        how = setjmp(over);                                                          \
        if (how == 0) {                                                              \
            (void)(__VA_ARGS__);                                                     \
            how = 1;                                                                 \
        }                                                                            \
        end(how == 2 && in_condition ? 4 : how, function);                           \
    } while (0)

static int print(void)
{
    for (unsigned i = 0; i < LINES; i++) {
        if (returned[i] != NEVER)
            printf("covered %u %u\n", i, returned[i]);
        else if (passed[i] != NEVER)
            printf("passed %u %u\n", i, passed[i]);
        for (unsigned k = 0; k < KINDS; k++)
            if (failed[i][k] != NEVER)
                printf("fails %u %u %s\n", i, failed[i][k], kinds[k]);
    }
    for (unsigned f = 0; f < FUNCTIONS; f++)
        printf("condition %u %u %u %u\n", f, wrong[f][0], wrong[f][1], wrong[f][2]);
    return 0;
}
