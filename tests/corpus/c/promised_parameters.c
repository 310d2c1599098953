/* Tests keep what attributes promise; a call that breaks it fails. */
__attribute__((nonnull)) int promised(int *a) { return *a == 3; } //@ holds? null
int three(int a[static 3]) { return a[2] == 3; } //@ holds? null, holds? bounds
int not_promised(int *a) { return *a == 3; } //@ fails null

int breaks(int *a)
{
    return promised(a); //@ fails nonnull
}

int keeps(int *a)
{
    if (!a)
        return 0;
    return promised(a); //@ holds nonnull
}
