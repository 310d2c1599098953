/* What loops leave in all elements of an array, for any number of elements: recurrences, sums that are added to elements, relations
   between two arrays, and copies in reverse order. With one element more than the loop gets to, or one number off, it fails. */
//@ ask: reach --target all_elements_of_arrays.c:28 --timeout 30
//@ ask: reach --target all_elements_of_arrays.c:47 --timeout 30
//@ ask: reach --target all_elements_of_arrays.c:63 --timeout 30
//@ ask: reach --target all_elements_of_arrays.c:73 --timeout 30
//@ ask: reach --target all_elements_of_arrays.c:88 --timeout 30
//@ ask: reach --target all_elements_of_arrays.c:100 --timeout 30
//@ ask: reach --target all_elements_of_arrays.c:114 --timeout 30
int a[1000], b[1000];
int more(void);

int squares(int n)
{
    if (n < 1 || n > 500)
        return 0;
    int i;
    a[0] = b[0] = 1;
    for (i = 1; i < n; i++)
        b[i] = b[i - 1] + 2;
    for (i = 1; i < n; i++)
        a[i] = a[i - 1] + b[i - 1] + 2;
    for (i = 0; i < n; i++)
        if (a[i] != (i + 1) * (i + 1))
            goto wrong;
    return 1;
wrong:
    return 2; //@ unreachable
}

int sums(int n)
{
    if (n < 1 || n > 500)
        return 0;
    int s = 0;
    for (int i = 0; i < n; i++)
        a[i] = 1;
    for (int i = 0; i < n; i++)
        s += a[i];
    for (int i = 0; i < n; i++)
        a[i] = a[i] + s;
    for (int i = 0; i < n; i++)
        if (a[i] != n + 1)
            goto wrong;
    return 1;
wrong:
    return 2; //@ unreachable
}

int differences(int n)
{
    if (n < 1 || n > 500)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = more();
    for (int i = 0; i < n; i++)
        b[i] = a[i] >= 0;
    for (int i = 0; i < n; i++)
        if ((a[i] >= 0) != b[i])
            goto wrong;
    return 1;
wrong:
    return 2; //@ unreachable
}

int reversed(int n, int k)
{
    if (n < 1 || n > 500 || k < 0 || k >= n)
        return 0;
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1 - i];
    if (b[k] != a[n - 1 - k])
        return 1; //@ unreachable
    return 2;
}

int one_more(int n)
{
    if (n < 1 || n > 500)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = 3;
    for (int i = 0; i <= n; i++)
        if (a[i] != 3)
            goto wrong;
    return 1;
wrong:
    return 2; //@ may run
}

int changed_once(int n, int k)
{
    if (n < 1 || n > 500 || k < 0 || k >= n)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = 3;
    a[k] = 4;
    for (int i = 0; i < n; i++)
        if (a[i] != 3)
            return 1; //@ may run
    return 2;
}

int one_array_after_all(int n)
{
    if (n < 4 || n > 500)
        return 0;
    int *p = more() ? a : b;
    for (int i = 0; i < n; i++)
        a[i] = 1;
    for (int i = 0; i < n; i++)
        p[i] = 2;
    if (a[3] != 1)
        return 1; //@ may run
    return 2;
}
