/* A declaration with `extern`, or without `inline`, makes an inline definition an external one (C11, 6.7.4). */
inline int thrice(int x)
{
    if (x == 4)
        return 12; //@ covered
    return x * 3;
}
extern int thrice(int);

inline int twice(int x) { return x * 2; }
int twice(int);

int both(int x)
{
    if (x < 0 || x > 9)
        return 0;
    if (thrice(x) == twice(x) + 7)
        return 1; //@ covered
    if (thrice(x) < twice(x))
        return 2; //@ unreachable
    return 3;
}
