/* Random numbers are inputs: no contract says which sequence a seed starts. */
int __footpath_any_int(void);
long __footpath_any_long(void);

int rand(void)
{
    return __footpath_any_int() & 0x7fffffff;
}

void srand(unsigned seed)
{
    (void)seed;
}

int rand_r(unsigned *seed)
{
    *seed = (unsigned)__footpath_any_int();
    return __footpath_any_int() & 0x7fffffff;
}

long random(void)
{
    return __footpath_any_int() & 0x7fffffff;
}

void srandom(unsigned seed)
{
    (void)seed;
}

long lrand48(void)
{
    return __footpath_any_int() & 0x7fffffff;
}

long mrand48(void)
{
    return __footpath_any_int();
}

void srand48(long seed)
{
    (void)seed;
}
