/* Library functions at the limits of their objects, and what they return. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

int copy(int n)
{
    char b[4];
    strcpy(b, n > 3 ? "abcd" : "abc"); //@ fails bounds
    return b[0];
}
int put(int n)
{
    char b[8];
    return sprintf(b, "%d", n); //@ fails bounds
}
int put_all(int n)
{
    char b[12];
    return sprintf(b, "%d", n); //@ holds? bounds
}
int put_short(int n)
{
    char b[4];
    return snprintf(b, 4, "%d", n); //@ holds? bounds
}
int put_long(int n)
{
    char b[4];
    return snprintf(b, 8, "%d", n); //@ fails? bounds
}
int add(int n)
{
    char b[8] = "abc";
    strncat(b, "defgh", (size_t)n); //@ fails bounds
    return b[3];
}
int add_few(int n)
{
    char b[8] = "abc";
    if (n < 0 || n > 4)
        return 0;
    strncat(b, "defgh", (size_t)n); //@ holds? bounds
    return b[3];
}
int compare(int n)
{
    char a[4] = "abc", b[6] = "abcde";
    return memcmp(a, b, (size_t)n); //@ fails bounds
}
int compare_texts(const char *s)
{
    return strcmp(s, "x"); //@ fails null
}
int four_thousand(const char *s)
{
    if (!s)
        return 0;
    if (atoi(s) == 4711)
        return 1; //@ covered?
    return 2; //@ covered?
}
int rests(void)
{
    if (fmod(-5.5, 2) != -1.5)
        return 1; //@ unreachable?
    if (fmin(NAN, 1) != 1 || fmax(2, NAN) != 2)
        return 2; //@ unreachable?
    int e = 0;
    if (frexp(12.0, &e) != 0.75 || e != 4)
        return 3; //@ unreachable?
    if (ldexp(0.75, 4) != 12)
        return 4; //@ unreachable?
    if (remainder(5, 3) != -1)
        return 5; //@ unreachable?
    double whole;
    if (modf(-3.25, &whole) != -0.25 || whole != -3)
        return 6; //@ unreachable?
    return 0; //@ covered?
}
int numbers(const char *s)
{
    int a = 0, b = 0;
    if (!s || sscanf(s, "%d/%d", &a, &b) != 2)
        return 0; //@ covered?
    if (b == 0)
        return -1; //@ covered?
    return a / b; //@ fails? overflow
}
int converted(const char *s)
{
    char *end;
    if (!s)
        return 0;
    long n = strtol(s, &end, 16);
    if (end == s && n != 0)
        return 1; //@ unreachable?
    if (n == 0x1f && *end == 'z')
        return 2; //@ covered?
    return 3; //@ covered?
}
int found(char *s, char c)
{
    if (!s)
        return 0;
    char *p = strchr(s, c);
    if (p && *p != c)
        return 1; //@ unreachable?
    if (!p && c == 0)
        return 2; //@ unreachable?
    return 3; //@ covered?
}
