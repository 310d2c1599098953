/* The states of a door's lock. Nothing leads to JAMMED. */
#include <stdlib.h>

enum state { OPEN, CLOSED, LOCKED, JAMMED };
enum event { PUSH, PULL, TURN };

static enum state step(enum state state, enum event event)
{
    switch (state) {
    case OPEN:
        return event == PUSH ? CLOSED : OPEN; //@ covered
    case CLOSED:
        if (event == TURN)
            return LOCKED; //@ covered
        return event == PULL ? OPEN : CLOSED; //@ covered
    case LOCKED:
        return event == TURN ? CLOSED : LOCKED; //@ covered
    case JAMMED:
        return JAMMED; //@ covered
    }
    return state; //@ covered
}

/* Three events, from an open door. */
int run(enum event first, enum event second, enum event third)
{
    enum state state = step(step(step(OPEN, first), second), third);

    if (state == LOCKED)
        return 1; //@ covered
    if (state == JAMMED)
        return 2; //@ unreachable
    if (state > JAMMED)
        abort(); //@ unreachable
    return 0; //@ covered
}
