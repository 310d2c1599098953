/* Locales that a thread changes to. Nobody looks into one, so each is an object of one byte, and what is done in it is done as
   in the C locale. Each name has a locale, memory for one never runs out, and one that was freed may be used. */

typedef struct locale_object *locale;

int *__errno_location(void);

/* The locale of the process, as glibc has it. */
#define GLOBAL ((locale)-1)
/* LC_ALL_MASK as glibc has it, and the number of LC_ALL, which means the same. */
#define KINDS 0x1fbf
#define ALL 6
#define INVALID 22

/* The first one is the C locale, of which there is one. */
static char locales[16];
#define PLAIN ((locale)locales)

static locale another(void)
{
    static unsigned made;
    return (locale)&locales[1 + made++ % (sizeof locales - 1)];
}

locale duplocale(locale from)
{
    return from == PLAIN ? PLAIN : another();
}

locale newlocale(int kinds, const char *name, locale base)
{
    if (kinds == 1 << ALL)
        kinds = KINDS;
    if (!name || kinds & ~KINDS) {
        *__errno_location() = INVALID;
        return 0;
    }
    if (base && base != PLAIN)
        return base;
    return name[0] == 'C' && !name[1] ? PLAIN : another();
}

void freelocale(locale old)
{
}

locale uselocale(locale wanted)
{
    static locale used = GLOBAL;
    locale before = used;
    if (wanted)
        used = wanted;
    return before;
}
