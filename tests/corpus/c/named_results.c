/* For which results of external functions, and bytes of files, a function fails that can fail. */
#include <assert.h>
#include <stdio.h>

int ask(int n);

void seventh(int n)
{
    if (n > 3)
        assert(ask(n) != 7); //@ fails assert
}

void read_two(void)
{
    int c = getchar(), d = getchar();
    assert(!(c == 'a' && d == 'b')); //@ fails assert
}

/* A stream is known by its address only. */
void first(FILE *file)
{
    if (fgetc(file) == 'x')
        assert(0); //@ fails assert
}

/* It fails whatever is read. */
void always(int n)
{
    int c = getchar();
    if (n > 5)
        assert(0); //@ fails assert
    (void)c;
}

//@ run: failures --function seventh
//@ exit: 0
//@ says: can fail when n > 3
//@ says: fails when n > 3 && result(ask, 1) == 7, where `result(f, k)` is what the k-th call of `f` returns
//@ says: fails, compiled and run too: n = 4, result(ask, 1) = 7: assert
//@ says: nothing fails with: assume n <= 3

//@ run: failures --function read_two --timeout 300
//@ exit: 0
//@ says: can fail when input(1) == 'a' && input(2) == 'b', and perhaps in other cases, where `input(k)` is the k-th byte that is read
//@ says: fails, compiled and run too: input(1) = 'a', input(2) = 'b': assert

//@ run: failures --function first
//@ exit: 0
//@ says: input(1) == 'x'

//@ run: failures --function always
//@ exit: 0
//@ says: fails when n > 5
//@ never says: input(1)
