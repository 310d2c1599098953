/* Each returns 1 where a text has a certain character that lies beyond those of tests: nobody finds a run, and nobody proves
   that there is none. */
struct queue { short size; int cost[2]; struct queue *next; };

int count(const char *s, int n)
{
    int h = 0;
    for (int i = 0; i < n; i++)
        if (s[i] == 'H')
            h++;
    if (h > 33 && n < 60)
        return 1; //@ covered?
    return 0;
}

int linear(const char *s, int n, int m)
{
    int x = 0, y = m;
    while (x < n) { x += 3; y -= 1; }
    if (y == 7 && x > 5 && s[40] == 'H')
        return 1; //@ covered?
    return 0;
}

int queue(const char *s, struct queue *p, unsigned k)
{
    int i, t = 0;
    if (!p || p->next == p)
        return 0;
    for (i = 0; i < p->size; i++)
        t += p->cost[1];
    if (t > 10 && k == i + 1u && s[40] == 'H' && (!p->next || p->next->cost[0] == t))
        return 1; //@ covered?
    return 0;
}

int shorts(const char *s, const short *w, unsigned char k)
{
    unsigned i = 0, t = 5;
    while (w[i] > 0) { i++; t += k; }
    if (t > 9 && w[i] == -1 && s[40] == 'H')
        return 1; //@ covered?
    return 0;
}

//@ ask: verify --solver-seconds 1
