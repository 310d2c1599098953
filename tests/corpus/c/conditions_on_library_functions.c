/* What the library computes is told by the library's name, not by its arithmetic. */
#include <assert.h>
#include <ctype.h>

int read_it(void);

int in_order(int n)
{
    int a = read_it(), b = read_it();
    assert(a <= b); //@ fails assert
    return n;
}

void no_number(double x, double limit)
{
    if (x <= limit)
        return;
    if (x > limit)
        return;
    assert(0); //@ fails assert
}

void no_number_beside_constants(double x)
{
    if (!(x <= 2.0) && !(x > 1.0))
        assert(0); //@ fails assert
}

/* A number that is not less need not be none. */
void not_less(double x, double y)
{
    assert(x < y); //@ fails assert
}

void lower(int c)
{
    assert(tolower(c) != 'q'); //@ fails assert
}

void same_letter(int c, int d)
{
    assert(toupper(c) == toupper(d)); //@ fails assert
}

//@ run: failures --function in_order --timeout 300
//@ exit: 0
//@ says: fails when result(read_it, 2) < result(read_it, 1), where

//@ run: failures --function no_number --timeout 300
//@ exit: 0
//@ says: fails when isnan(x) || isnan(limit)
//@ says: nothing fails with: assume !isnan(x) && !isnan(limit)

//@ run: failures --function no_number_beside_constants --timeout 300
//@ exit: 0
//@ says: fails when isnan(x)

//@ run: failures --function not_less --timeout 300
//@ exit: 0
//@ says: fails when !(x < y)
//@ never says: isnan(

//@ run: failures --function lower --timeout 300
//@ exit: 0
//@ says: fails when tolower(c) == 'q'

//@ run: failures --function same_letter --timeout 300
//@ exit: 0
//@ says: toupper(c)
//@ says: toupper(d)
