/* A whole program goes on behind an access beyond its object. */
extern void abort(void);
int first[2] = {1, 2}, second = 7;

int at(int i)
{
    return first[i]; //@ fails bounds
}

int main(int argc, char **argv)
{
    (void)argv;
    int i = 0;
    while (i < 2)
        i++;
    int found = at(i);
    if (i == 3)
        abort(); //@ unreachable
    if (found == 7)
        return 1; //@ may run
    return argc > 100 && second; //@ may run
}

//@ ask: test --entry main --timeout 20
