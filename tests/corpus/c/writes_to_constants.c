/* What is constant is not written, by whatever name. */
#include <string.h>

int literal(void)
{
    char *s = (char *)"text";
    s[0] = 'T';  //@ fails constant
    return s[0]; //@ unreachable?
}

static const int fixed = 3;
int by_a_cast(int k)
{
    int *p = (int *)&fixed;
    if (k > 3)
        *p = 4;   //@ fails constant
    return fixed; //@ covered
}

const short table[4] = {1, 2, 3, 4};
int in_a_table(int i)
{
    if (i < 0 || i > 3)
        return 0;
    ((short *)table)[i] = 9; //@ fails constant, holds bounds
    return table[i];
}

int by_the_library(void)
{
    char *s = (char *)"hello";
    memset(s, 'z', 2); //@ fails constant
    return s[0];
}

int copy_into(const char *from)
{
    char *s = (char *)"0123456789";
    if (!from || strlen(from) > 2)
        return 0;
    strcpy(s, from); //@ fails constant
    return s[0];
}

char *const names[] = {"ab", "cd"};
int by_a_list(int i)
{
    if (i < 0 || i > 1)
        return 0;
    names[i][0] = 'q'; //@ fails constant
    return 1;          //@ unreachable?
}

int one_or_the_other(int i)
{
    char own[] = "ok";
    char *s = i > 0 ? own : (char *)"no";
    s[0] = 'y';  //@ fails constant
    return s[0]; //@ covered
}

int own_copy(void)
{
    char own[] = "text";
    char *s = own;
    s[0] = 'T';         //@ holds constant
    return s[0] == 'T'; //@ covered
}
