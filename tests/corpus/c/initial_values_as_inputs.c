/* Functions may have set variables to anything, but what works is often what they are in the beginning. Tests can have that, too, and
   a text that a test gives a variable leaves nothing of the text that is there. */
#include <stdlib.h>
#include <string.h>

struct hooks {
    void *(*allocate)(size_t);
    void (*release)(void *);
};

static struct hooks hooks = {malloc, free};
static void *(*resize)(void *, size_t) = realloc;

void set_hooks(struct hooks given, void *(*other)(void *, size_t))
{
    hooks = given;
    resize = other;
}

int fills(void)
{
    char *room = hooks.allocate(100000);
    if (!room)
        return -1; //@ covered
    room[99999] = 'x';
    room = resize(room, 200000);
    if (!room)
        return -2; //@ covered
    room[199999] = 'y';
    hooks.release(room);
    return 0; //@ covered
}

static char name[8] = "abc";

void set_name(const char *given)
{
    strncpy(name, given, sizeof name - 1);
}

int second(int n)
{
    for (int i = 0; i < n; i++)
        if (name[1] == 'b' && name[i % 8] == 'z')
            return 1; //@ covered
    if (n == 5 && name[1] == 0 && name[2] == 0)
        return 2; //@ covered
    return 0; //@ covered
}

/* `unit` is never zero: no input of the functions below has it so, and what fuzzing finds must not. */
static int unit = 2;

void set_unit(void)
{
    unit = 3;
}

static int words(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == ' ' ? unit : 0;
    if (n == 12)
        return 1; //@ covered
    if (n == 0)
        return 2; //@ covered
    return 0; //@ covered
}

int count(const char *text, int how)
{
    if (how != 77)
        return 0; //@ covered
    return words(text); //@ covered
}

//@ ask: test --timeout 4
