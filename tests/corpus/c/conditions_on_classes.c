/* Classes of characters are told by name, where the name is defined; ranges that the source has stay ranges. */
#include <assert.h>
#include <ctype.h>

void digit(int c)
{
    assert(!isdigit(c)); //@ fails assert
}

void blank(const char *s)
{
    if (s && isspace((unsigned char)*s))
        assert(0); //@ fails assert
}

void punctuation(int c, int n)
{
    if (ispunct(c) && n > 3)
        assert(0); //@ fails assert
}

/* Beyond the library's tables there is no letter, and nobody may ask. */
void no_letter(int c)
{
    if (c < -128 || c > 255)
        return;
    assert(isalpha(c)); //@ fails assert
}

/* The opposite of a condition that is printed as a negation. */
void letter(int c)
{
    assert(isalpha(c)); //@ fails assert
}

/* No class: a digit or an underscore. */
void word(int c)
{
    assert(!(c == '_' || isdigit(c))); //@ fails assert
}

void range(char c)
{
    if ('0' <= c && c <= '9')
        assert(0); //@ fails assert
}

//@ run: failures --function digit --timeout 300
//@ exit: 0
//@ says: fails when c < -128 || c > 255 || isdigit(c)
//@ says: nothing fails with: assume -128 <= c && c <= 255 && !isdigit(c)

//@ run: failures --function blank --timeout 300
//@ exit: 0
//@ says: fails when s != NULL && isspace((unsigned char)s[0])

//@ run: failures --function punctuation --timeout 300
//@ exit: 0
//@ says: (ispunct(c) && n > 3)

//@ run: failures --function no_letter --timeout 300
//@ exit: 0
//@ says: fails when -128 <= c && c <= 255 && !isalpha(c)
//@ says: nothing fails with: assume c < -128 || c > 255 || isalpha(c)

//@ run: failures --function letter --timeout 300
//@ exit: 0
//@ says: nothing fails with: assume ((65 <= c && c <= 90) || (97 <= c && c <= 122))
//@ never says: !(!

//@ run: failures --function word --timeout 300
//@ exit: 0
//@ says: isdigit(c)

//@ run: failures --function range --timeout 300
//@ exit: 0
//@ says: fails when '0' <= c && c <= '9'
//@ never says: isdigit(
