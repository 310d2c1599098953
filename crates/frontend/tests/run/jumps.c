/* Computed jumps, switches over ranges, jumps into loops. */
static int interpret(const unsigned char *code)
{
    static void *const table[] = {&&add, &&twice, &&less, &&stop};
    int x = 1;
    goto *table[*code];
add:
    x += 7;
    goto *table[*++code];
twice:
    x *= 2;
    goto *table[*++code];
less:
    x -= 3;
    goto *table[*++code];
stop:
    return x;
}

static int ranges(int n)
{
    switch (n) {
    case -5 ... -1: return 1;
    case 0: n += 2; /* falls through */
    case 1: return n + 10;
    case 1000: case 2000: return 5;
    default: return n & 3;
    }
}

int main(void)
{
    static const unsigned char code[] = {0, 1, 1, 2, 0, 1, 3};
    int sum = interpret(code), i = 0;
    goto inside;
    for (; i < 5; i++) {
        sum += i;
inside:
        sum += ranges(i - 2) + ranges(1000 * i);
    }
    return (unsigned)sum % 251;
}
