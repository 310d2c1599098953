/* Floating-point branches: roots, clamps, sums. */

int roots(double a, double b, double c)
{
    double d = b * b - 4 * a * c;

    if (a == 0)
        return b == 0 ? (c == 0 ? 5 : 0) : 4;
    if (d < 0)
        return 0;
    if (d == 0)
        return 1;
    if (a > 1 && b > 10 && c > 2 && d < 0.5)
        return 3;
    return 2;
}

int blend(float x, float y)
{
    float z = x * 0.25f + y * 0.75f;

    if (x < -100 || x > 100 || y < -100 || y > 100)
        return 0;
    if (z > 12.5f && z < 12.6f && x < y - 3)
        return 1;
    if ((int)(z * 16) == 777)
        return 2;
    return 3;
}
