/* A maze that is walked by an input. */

enum { WIDTH = 8, HEIGHT = 5, MOST = 7 };

static const char MAZE[HEIGHT][WIDTH + 1] = {
    "+-+----+",
    "| |#   |",
    "| | -+ |",
    "|    | |",
    "+----+-+",
};

int maze(const char *moves, int count)
{
    int x = 1, y = 1, steps = 0;

    if (!moves || count < 0 || count > MOST)
        return -1;
    for (int i = 0; i < count; i++) {
        int nx = x, ny = y;

        switch (moves[i]) {
        case 'w':
            ny--;
            break;
        case 's':
            ny++;
            break;
        case 'a':
            nx--;
            break;
        case 'd':
            nx++;
            break;
        default:
            return -2;
        }
        if (MAZE[ny][nx] == '#')
            return 100;
        if (MAZE[ny][nx] != ' ')
            return -3;
        x = nx;
        y = ny;
        steps++;
    }
    return steps;
}
