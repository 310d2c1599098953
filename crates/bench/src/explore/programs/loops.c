/* Loops whose bounds are inputs, and what lies behind a certain number of rounds. */

int loops(unsigned n, unsigned m, const char *text)
{
    unsigned i, j, rounds = 0, spaces = 0;

    if (n > 200 || m > 200)
        return 0;
    for (i = 0; i < n; i += 3)
        rounds++;
    if (rounds == 37)
        return 1;
    for (j = 0; j < m; j++)
        if (j % 7 == 3)
            rounds += 2;
    if (rounds == 51 && n > 60)
        return 2;
    if (!text)
        return 3;
    for (i = 0; i < 8 && text[i]; i++)
        if (text[i] == ' ')
            spaces++;
    if (spaces == 5)
        return 4;
    if (i == 7 && spaces == 3)
        return 5;
    return 6;
}
