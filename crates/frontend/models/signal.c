/* Nothing interrupts the program, so handlers are never called. What there was before is nothing, or to ignore the
   signal; for proofs it is anything (`models.rs`). */
typedef void (*handler)(int);

int __footpath_answer(void);
void footpath_assume(int holds);

handler signal(int number, handler wanted)
{
    (void)number;
    (void)wanted;
    long before = __footpath_answer();
    footpath_assume(before <= 1);
    return (handler)before;
}

handler __sysv_signal(int number, handler wanted)
{
    return signal(number, wanted);
}
