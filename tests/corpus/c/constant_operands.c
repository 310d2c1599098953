/* Operations on constants, which the compiler computes itself: where they are undefined, they are so in the source. */
#include <limits.h>
#define RATE 0
enum { MOST = INT_MAX };

int quotient(int a)
{
    if (a > 3)
        return 1000 / RATE; //@ fails division
    return 0;
}

int rest(int a)
{
    if (a > 3 && a < 9)
        a = 7 % RATE; //@ fails division
    return 1 || 5 / RATE;
}

int by_a_variable(int a, int b)
{
    if (b == 5)
        return a / RATE; //@ fails division
    return a / 3;        //@ holds division
}

int amount(int a)
{
    if (a > 3)
        return 1 << 40; //@ fails shift
    return 1 << 30;     //@ holds shift
}

int negative(int a)
{
    if (a > 3)
        return -1 << 2; //@ fails shift
    return -4 >> 2;     //@ holds shift
}

int sum(int a)
{
    if (a > 3)
        return 3 + INT_MAX; //@ fails overflow
    return INT_MAX - 3;     //@ holds overflow
}

int sums(int a)
{
    int big = a == 7 ? MOST + 1 - 1 : -MOST - 1; //@ fails overflow
    return big > 0;
}

int opposite(int a)
{
    int least = a > 5 ? -INT_MIN : 2; //@ fails overflow
    return least + 1;                 //@ holds overflow
}

int product(int a)
{
    return a ? 65536 * 65536 : 100000 * 3; //@ fails overflow
}

long widened(int a)
{
    if (a)
        return (long)(3 + INT_MAX) + 5; //@ fails overflow
    return 3L + INT_MAX;                //@ holds overflow
}

unsigned without_a_sign(unsigned a)
{
    return a ? 4294967295u * 2 + 1u : 3u << 31; //@ holds overflow, holds shift
}

int beside_an_index(int i)
{
    int squares[4] = {0, 1, 4, 9};
    if (i < 0 || i > 3)
        return 0;
    return squares[i] + (i == 2 ? 1 << 35 : 0); //@ holds subobject, fails shift
}

static const double most = 1e10;

int cast(int a)
{
    int big = a > 3 ? (int)1e10 : (int)-2147483648.5; //@ fails float_cast
    return big > 7;
}

int cast_of_a_variable(int a)
{
    if (a)
        return 1 + (int)most; //@ fails float_cast
    return (int)(most / 10);  //@ holds float_cast
}

unsigned char casts_into_small_types(int a)
{
    if (a == 1)
        return (unsigned char)-300.0; //@ fails float_cast
    if (a == 2)
        return (unsigned char)256.0f; //@ fails float_cast
    if (a == 3)
        return (unsigned char)-0.5; //@ holds float_cast
    return (int)255.9;              //@ holds float_cast
}

int cast_in_a_condition(int a)
{
    if (a < 3 && (int)__builtin_inf() > a) //@ fails float_cast
        return 1;
    return 2;
}
