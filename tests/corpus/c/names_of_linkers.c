/* What the linker and assembly do to names: bounds of sections, other names of variables. */
struct module {
    int on;
};
static struct module first __attribute__((section("modules"), used));
static struct module second __attribute__((section("modules"), used));
static struct module apart;
extern struct module __start_modules[], __stop_modules[];

static void enable_all(void)
{
    for (struct module *p = __start_modules; p < __stop_modules; p++)
        p->on = 1;
}

int is_enabled(void)
{
    second.on = 0;
    enable_all();
    if (second.on)
        return 1; //@ covered?
    return 0;
}

int is_not_in_the_section(void)
{
    int own = 0;
    enable_all();
    if (own)
        return 1; //@ unreachable?
    return 0;
}

int real;
extern int also;
__asm__(".set also, real");

int by_another_name(void)
{
    real = 1;
    also = 2;
    if (real == 2)
        return 1; //@ covered
    return 2; //@ unreachable
}
