/* Binary search, with the middle computed as so many did for so long. */

int middle(int low, int high)
{
    if (low < 0 || high < low)
        return -1; //@ covered
    return (low + high) / 2; //@ fails overflow
}

struct table {
    int keys[5];
};

/* The place of a key in a sorted table, or -1. */
int search(const struct table *table, int key)
{
    int low = 0, high = 4;

    if (!table)
        return -2; //@ covered
    while (low <= high) {
        int mid = low + (high - low) / 2;
        if (table->keys[mid] == key) //@ holds bounds
            return mid; //@ covered
        if (table->keys[mid] < key)
            low = mid + 1; //@ covered
        else
            high = mid - 1; //@ covered
    }
    return -1; //@ covered
}
