/* An external function changes what it can reach: what it was given, and what functions of this file that it may call write. */
#include <unistd.h>
void keep(int *p);
void act(void);
static int count, never, table[4];

void increase(void)
{
    count++;
    table[1]++;
}

int called_back(void)
{
    count = 0;
    act();
    if (count == 1)
        return 1; //@ may run
    return 0; //@ covered
}

int written_back(void)
{
    table[1] = 0;
    act();
    if (table[1] == 1)
        return 1; //@ may run
    return 0; //@ covered
}

int kept(void)
{
    int x = 0;
    keep(&x);
    x = 0;
    act();
    if (x == 1)
        return 1; //@ may run
    return 0; //@ covered
}

int passed(int *p)
{
    if (!p)
        return 9; //@ covered
    *p = 0;
    act();
    if (*p == 1)
        return 1; //@ may run
    return 0; //@ covered
}

int option(int argc, char **argv)
{
    optind = 1;
    getopt(argc, argv, "ab:");
    if (optind == 2)
        return 1; //@ may run
    return 0;
}

/* Nothing writes it. */
int constant(void)
{
    never = 0;
    act();
    if (never)
        return 1; //@ unreachable
    return 0; //@ covered
}

/* Nobody was given its address. */
int own(void)
{
    int x[3] = {0, 0, 0};
    act();
    if (x[1])
        return 1; //@ unreachable
    return 0; //@ covered
}
