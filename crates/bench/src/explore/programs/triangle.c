/* What kind of triangle three lengths make: the classic of testing (Myers, The Art of Software Testing, 1979). */

enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL, RIGHT };

enum kind triangle(int a, int b, int c)
{
    long long x = a, y = b, z = c, swap;

    if (a <= 0 || b <= 0 || c <= 0)
        return NONE;
    if (x > y) { swap = x; x = y; y = swap; }
    if (y > z) { swap = y; y = z; z = swap; }
    if (x > y) { swap = x; x = y; y = swap; }
    if (x + y <= z)
        return NONE;
    if (x == y && y == z)
        return EQUILATERAL;
    if (x == y || y == z)
        return ISOSCELES;
    if (z < 1000 && x * x + y * y == z * z)
        return RIGHT;
    return SCALENE;
}
