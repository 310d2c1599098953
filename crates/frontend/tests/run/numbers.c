/* Wide and narrow integers, bit-fields, unions, packed structures, atomics. */
#include <stdatomic.h>
#include <stdint.h>

struct bits { unsigned a : 3; int b : 7; uint64_t c : 40; signed char d : 2; };
union view { uint32_t whole; struct { uint16_t low, high; } halves; unsigned char bytes[4]; float number; };
#pragma pack(1)
struct packed { char a; int64_t b; short c; };
#pragma pack()

static atomic_int counter;
static short here, there;

/* The compiler leaves both the comparison and the conversion to the linker. */
static float apart(short **p) { return *p == &here ? 0.5f : (float)(&here == &there) + 2.0f; }

static unsigned mix(unsigned __int128 n)
{
    n = n * 0x123456789abcdefull + (n >> 77) - (n << 3);
    return (unsigned)(n % 1000003) ^ (unsigned)(n >> 96);
}

/* The step of the loop is never run. */
static int first_of(int n)
{
    for (int i = n; i < 9; i++) {
        if (i & 1)
            return i;
        return -i;
    }
    return 9;
}

int main(void)
{
    struct bits f = {9, -33, 0xabcdef0123, 1};
    f.a += 5, f.b -= 40, f.c *= 3, f.d++;
    union view v = {.number = -1.5f};
    struct packed p[2] = {{1, -2, 3}, {4, 5000000000, -6}};
    p[1].b ^= p[0].b;
    atomic_fetch_add(&counter, 5);
    int expected = 5;
    _Bool swapped = atomic_compare_exchange_strong(&counter, &expected, 77);
    unsigned sum = f.a + f.b + (unsigned)f.c + f.d + v.halves.high + v.bytes[2] + (unsigned)(p[1].b >> 7) + p[1].c;
    sum += mix(((unsigned __int128)sum << 70) + 12345) + atomic_exchange(&counter, 3) + swapped;
    sum += __builtin_popcountll(p[1].b) + __builtin_clz(sum | 1) + __builtin_ctz(sum | 64) + __builtin_bswap32(sum);
    short *q = &there;
    sum += (unsigned)(apart(&q) * 4);
    sum += first_of(3) + 2 * first_of(4) + first_of(12);
    return sum % 251;
}
