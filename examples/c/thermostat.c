/* A controller that says about itself what it expects: `footpath.h` compiles to nothing in a normal build. */
#include "footpath.h"

enum mode { OFF, HEAT, COOL };

struct thermostat {
    int target; /* tenths of a degree */
    enum mode mode;
};

/* The sensor's word: 12 bits, sign in the highest one. */
static int reading(unsigned raw)
{
    int value = (int)(raw & 0xfff);
    if (value & 0x800)
        value -= 0x1000;
    footpath_assert(value >= -2048 && value <= 2047);
    return value;
}

enum mode control(struct thermostat *t, unsigned raw)
{
    footpath_assume(t != 0);
    footpath_assume(t->target >= 50 && t->target <= 300);
    int now = reading(raw);
    if (now > 2047)
        return OFF; //@ unreachable
    if (now < t->target - 5)
        t->mode = HEAT; //@ covered
    else if (now > t->target + 5)
        t->mode = COOL; //@ covered
    footpath_fails_if(t->mode == COOL && now < 0);
    return t->mode;
}

/* Turns the knob by as much as the user likes. */
int turn(int target)
{
    signed char by;
    footpath_assume(target >= 50 && target <= 300);
    by = 0;
    footpath_input(by);
    target += by;
    if (target < 50)
        target = 50; //@ covered
    if (target > 300)
        target = 300; //@ covered
    footpath_assert(target >= 50 && target <= 300);
    return target;
}
