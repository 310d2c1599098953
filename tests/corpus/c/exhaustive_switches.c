/* The cases of a switch are exhaustive. A short `default` is defensive code then, and no finding; one with branches of its own is. */
int kind(unsigned n)
{
    switch (n & 3) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    case 3: return 13;
    default: return -1; //@ unreachable
    }
}

int after(unsigned n)
{
    switch (n % 2) {
    case 0: return 1; //@ covered
    case 1: return 2; //@ covered
    }
    return -1; //@ unreachable
}

int work(unsigned n, int m)
{
    int sum = 0;
    switch (n & 1) {
    case 0: sum = 1; break; //@ covered
    case 1: sum = 2; break; //@ covered
    default:
        if (m > 7) //@ unreachable
            sum = m;
        break;
    }
    return sum;
}

//@ run: test
//@ exit: 0
//@ says: infeasible[dead-code]
//@ says: exhaustive_switches.c:29:13
//@ says: 2 places of defensive code never executed
