/* What goes wrong inside a function of the library goes wrong at its call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int too_long(void)
{
    char word[6];
    strcpy(word, "dozens"); //@ fails bounds, holds null
    return word[0];         //@ unreachable?
}

int just_fits(void)
{
    char word[7];
    strcpy(word, "dozens"); //@ holds bounds, holds null
    return word[5];         //@ covered
}

int without_end(void)
{
    char two[2] = {'o', 'k'};
    return (int)strlen(two); //@ fails bounds
}

int length_of_null(const char *text)
{
    return strlen(text) == 3; //@ fails null
}

int length_if_there(const char *text)
{
    if (!text)
        return 0;
    return strlen(text) == 3; //@ holds null
}

int joined(void)
{
    char all[8] = "left ";
    strcat(all, "right"); //@ fails bounds
    return all[0];
}

int joined_in_part(void)
{
    char all[8] = "left ";
    strncat(all, "right", 2); //@ holds bounds
    return all[6] == 'i';     //@ covered
}

int number_without_room(int n)
{
    char text[5];
    sprintf(text, "%d", n); //@ fails bounds
    return text[0];
}

int copy_of_nothing(void)
{
    char *copy = strdup(NULL); //@ fails null
    return copy != 0;
}

int written_beyond(int to)
{
    char two[2] = {'o', 'k'};
    return (int)write(to, two, 3); //@ fails bounds
}

int compared_beyond(void)
{
    int pair[2] = {1, 2};
    int three[3] = {1, 2, 3};
    return memcmp(pair, three, sizeof three); //@ fails bounds
}

int filled_by_number(unsigned n)
{
    char room[16];
    if (n > 17)
        return 0;
    memset(room, 'x', n); //@ fails bounds
    return 1;
}

int absolute(int n)
{
    return abs(n); //@ fails overflow
}

static int in_order(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

int sorted(int backwards)
{
    char letters[3] = {'b', 'c', 'a'};
    qsort(letters, 3, 1, backwards ? 0 : in_order); //@ fails null
    return letters[0] == 'a';                       //@ covered
}

static int all_equal(const void *a, const void *b)
{
    (void)a;
    (void)b;
    return 0;
}

int sorted_beyond(unsigned char n)
{
    char letters[3] = {'b', 'c', 'a'};
    if (n > 4)
        return 0;
    qsort(letters, n, 1, all_equal); //@ fails bounds
    return letters[0];
}

int found(char wanted)
{
    char letters[3] = {'a', 'b', 'c'};
    return bsearch(&wanted, letters, 3, 1, in_order) != 0; //@ holds null
}

/* A function of the user's that wraps one of the library: the check is at the call of the library. */
static size_t wrapped(const char *text)
{
    return strlen(text); //@ fails null
}

int through_a_wrapper(int which)
{
    return (int)wrapped(which > 9 ? 0 : "text");
}

int through_a_pointer(const char *text)
{
    size_t (*measure)(const char *) = strlen;
    return (int)measure(text); //@ fails null
}
