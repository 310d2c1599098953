/* Sorting by insertion and by quicksort, and what was found about the order. */

static void insertion(int *a, int from, int to)
{
    for (int i = from + 1; i < to; i++) {
        int value = a[i], j = i;

        while (j > from && a[j - 1] > value) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = value;
    }
}

static void quick(int *a, int from, int to)
{
    int pivot, i, j;

    if (to - from <= 3) {
        insertion(a, from, to);
        return;
    }
    pivot = a[(from + to) / 2];
    i = from;
    j = to - 1;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int swap = a[i];
            a[i++] = a[j];
            a[j--] = swap;
        }
    }
    quick(a, from, j + 1);
    quick(a, i, to);
}

/* How often neighbours are in the wrong order at first; -1 if there is no array, -2 if it stays unsorted, -3 if a value
   is in it three times. */
int order(int *a, int n)
{
    int wrong = 0;

    if (!a || n < 1 || n > 6)
        return -1;
    for (int i = 1; i < n; i++)
        wrong += a[i - 1] > a[i];
    quick(a, 0, n);
    for (int i = 1; i < n; i++)
        if (a[i - 1] > a[i])
            return -2;
    for (int i = 2; i < n; i++)
        if (a[i - 2] == a[i])
            return -3;
    if (wrong == 5)
        return 100;
    return wrong;
}
