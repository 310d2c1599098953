/* A floating-point number has as many digits in front of the point as its size says. */
#include <stdio.h>
#include <string.h>

int below_a_thousand(double x)
{
    char text[8];
    if (!(x >= 0 && x < 999))
        return 0;
    sprintf(text, "%.2f", x); //@ holds? bounds
    return text[0];
}

int rounded_to_a_thousand(double x)
{
    char text[7];
    if (!(x >= 0 && x < 1000))
        return 0;
    sprintf(text, "%.2f", x); //@ may fail bounds
    return text[0];
}

int plain(void)
{
    char text[9];
    sprintf(text, "%f", 1.5); //@ holds? bounds
    if (strlen(text) != 8)
        return 1; //@ unreachable?
    return 0; //@ covered
}

int largest(void)
{
    char text[400];
    return sprintf(text, "%.0f", 1.7e308) != 309; //@ holds? bounds
}

int too_long(double x)
{
    char text[8];
    sprintf(text, "%.1f", x); //@ fails bounds
    return text[0];
}
//@ ask: test --timeout 10
