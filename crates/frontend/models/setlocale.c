/* What the locale is called is any text of up to 31 bytes; for proofs it is of any length (`models.rs`). */

typedef unsigned long long chunk;

int __footpath_any_int(void);
chunk __footpath_any_8(void);
void *memcpy(void *to, const void *from, __SIZE_TYPE__ size);

char *setlocale(int category, const char *wanted)
{
    static char plain[] = "C";
    static char name[32];
    /* Of no category, and of none that glibc has. */
    if (category < 0 || category > 12)
        return 0;
    if (wanted && wanted[0] == 'C' && !wanted[1])
        return plain;
    /* Another one may not be there. What it is called is asked for whether somebody looks at it or not. */
    if (wanted && __footpath_any_int() < 0)
        return 0;
    for (int i = 0; i < 4; i++) {
        chunk some = __footpath_any_8();
        memcpy(name + 8 * i, &some, sizeof some);
    }
    name[31] = 0;
    return name;
}
