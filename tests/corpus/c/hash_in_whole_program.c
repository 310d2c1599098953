/* No solver inverts 32 rounds, but one input in 512 passes: of many runs one finds it. */
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    for (int i = 0; i < 32; i++)
        x = (x * x) ^ (x >> 3) ^ 0x9e3779b9u;
    if ((x & 0x1ff) == 417)
        return 1; //@ covered
    return 0; //@ covered
}
//@ ask: test --entry main --timeout 10
