/* WinDriver: packets of a stream are copied into a two-dimensional array, at the row that each packet names in its header;
   the target is reached if a row that was filled is then found to be another packet's. */

int win_driver(const unsigned char *stream, int m, int n)
{
    unsigned char rows[4][8];
    int seen[4];

    if (!stream || m < 2 || m > 4 || n < 1 || n > 7)
        return 0;
    for (int i = 0; i < m; i++) {
        int id = stream[i * (n + 1)];

        if (id >= m)
            return 0;
        for (int j = 0; j < n; j++)
            rows[id][j] = stream[i * (n + 1) + j + 1];
        seen[id] = i;
    }
    for (int i = 0; i < m; i++) {
        int id = stream[i * (n + 1)];

        if (seen[id] != i)
            return rows[id][0] + 1; /* target */
    }
    return 0;
}
