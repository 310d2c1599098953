/* Places that `test` prints can be given to `reach`: the beginning of a block that is read into a register, and a function. */
static int is_space(int c) { return c == ' '; }

char *strip(char *s, char *end)
{
    while (end > s && is_space((unsigned char)(*--end)))
        *end = '\0';
    return s;
}

//@ run: reach --target places_of_blocks.c:7:10 --target places_of_blocks.c:7:14 --target places_of_blocks.c:4:7
//@ exit: 0
//@ says: reached      places_of_blocks.c:7:
//@ says: reached      places_of_blocks.c:4:
//@ never says: no statement starts
