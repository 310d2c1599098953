/* Products and remainders of inputs. */

int nonlinear(int x, int y, int z)
{
    long long a = x, b = y, c = z;

    if (a * a * a + b * b == 1729 + c && a > 5 && b > 5)
        return 1;
    if (a > 100 && b > 100 && a * b == 1022117)
        return 2;
    if (c > 1000 && c * c % 10007 == 1234)
        return 3;
    if (a != 0 && b / a == 37 && b % a == 11)
        return 4;
    if (a * b - c * c == 1 && c > 10 && a > b)
        return 5;
    return 0;
}
