/* External functions that fill buffers of their caller: each call passes a local of its own size, and what lies behind the
   first 64 bytes of one keeps its value. */

int next_line(char *into, int room);
struct reading { int id; char unit[4]; int *where; long value; char rest[200]; };
int sense(struct reading *to, int channel);

int keyword(void)
{
    char line[200];
    if (next_line(line, sizeof line) <= 0)
        return 0; //@ covered
    if (line[0] == 'k' && line[1] == 'e' && line[2] == 'y' && line[3] == 0)
        return 1; //@ covered
    return 2; //@ covered
}

int short_and_long(int n)
{
    char line[120], word[6];
    if (n > 3) {
        next_line(line, sizeof line);
        return line[40] == 'x' ? 1 : 2; //@ covered
    }
    next_line(word, sizeof word);
    if (word[5] == '!' && word[0] == '?')
        return 3; //@ covered
    return 4; //@ covered
}

int alarm_of(int channel)
{
    struct reading r;
    if (sense(&r, channel) != 0)
        return -1; //@ covered
    if (r.value > 1000 && r.unit[1] == 'V')
        return 1; //@ covered
    return 0; //@ covered
}

int behind(void)
{
    char line[200];
    line[150] = 0;
    next_line(line, sizeof line);
    if (line[150] == 'x')
        return 1; //@ covered?
    return 0; //@ covered
}
