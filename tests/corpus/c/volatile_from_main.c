/* From `main`, variables have their initial values, but others may write a volatile one before it is read. */
volatile int level = 128;

int main(void)
{
    if (level != 128)
        return 1; //@ may run
    return 0; //@ covered
}
//@ ask: test --entry main
