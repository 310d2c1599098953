/* An edge that leaves from the middle: dead where conditions contradict each other, found where they do not. */
int dead(int x)
{
    int r = 1;
    if (x > 5) {
        if (x < 3)
            goto out; //@ unreachable
    }
    r = 2; //@ covered
out:
    return r + 1; //@ covered
}

int taken(int x)
{
    int r = 1;
    if (x == 7)
        goto out; //@ covered
    r = 2; //@ covered
out:
    return r + 1; //@ covered
}
