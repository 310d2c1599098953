/* Assembly without instructions changes nothing. */
static int hidden(int x)
{
    __asm__ volatile("" : "+r"(x) : : "memory");
    return x;
}

int main(void)
{
    int values[3] = {1, 2, 3}, *p = values;
    __asm__ volatile("" ::: "memory");
    __asm__("" : "=r"(p) : "0"(values + 1));
    __asm__ volatile(".p2align 4\n\tnop");
    return hidden(p[0]) * 10 + p[1];
}
