/* A text of any length is read character by character. */
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 60)
        return 0; //@ covered
    char *text = malloc(n);
    if (!text)
        return 1; //@ covered
    for (unsigned i = 0; i < n; i++)
        text[i] = __VERIFIER_nondet_char(); //@ covered
    text[n - 1] = 0;
    char *p = text;
    while (*p && *p != '=')
        p++; //@ covered
    if (*p && p[1] == '4' && p[2] == '2' && p - text > 3)
        reach_error(); //@ covered
    free(text); //@ covered
    return 0;
}

//@ ask: test --entry main --timeout 30
