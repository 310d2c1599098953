/* Parameters whose rows have a length that another parameter gives, or none: an object for them has elements, not rows. */
int rows(int height, int width, int table[height][width])
{
    if (!table || height != 2 || width != 2)
        return 0;
    if (table[1][1] == 9)
        return 1; //@ covered
    return 2; //@ covered
}

int row(int width, int (*table)[width])
{
    if (!table || width != 3)
        return 0;
    return table[0][2] == 9 ? 1 : 2; //@ covered
}

int without_length(int (*table)[])
{
    if (!table)
        return 0;
    if ((*table)[0] == 9)
        return 1; //@ covered
    return 2; //@ covered
}

int cube(int n, short box[n][n][n])
{
    if (!box || n != 2)
        return 0;
    if (box[1][0][1] == 9)
        return 1; //@ covered
    return 2; //@ covered
}

int text_rows(int n, char lines[][n])
{
    if (!lines || n != 3)
        return 0;
    if (lines[1][0] == 'x')
        return 1; //@ covered
    return 2; //@ covered
}

int known_rows(int table[][3])
{
    if (!table)
        return 0;
    if (table[0][2] == 9)
        return 1; //@ covered
    return 2; //@ covered
}
