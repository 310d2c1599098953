/* A program that reads commands, line by line: its tests have the words that it knows in what they give it to read. */
#include <stdio.h>
#include <string.h>

static long stack[8];
static int top;

static int pop(long *value)
{
    if (top <= 0)
        return -1; //@ covered
    *value = stack[--top];
    return 0; //@ covered
}

int main(int argc, char **argv)
{
    char line[64];
    (void)argv;
    if (argc > 1)
        return 2; //@ covered
    while (fgets(line, sizeof line, stdin)) {
        for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
            long a, b;
            if (word[0] >= '0' && word[0] <= '9') {
                if (top < 8)
                    stack[top++] = word[0] - '0'; //@ covered
            } else if (!strcmp(word, "swap")) {
                if (pop(&b) || pop(&a))
                    return 1; //@ covered
                stack[top++] = b; //@ may run
                stack[top++] = a; //@ may run
            } else if (!strcmp(word, "print")) {
                printf("%d\n", top); //@ covered
            } else if (!strcmp(word, "quit")) {
                return 0; //@ covered
            }
        }
    }
    return 3; //@ covered
}
//@ ask: test --entry main --timeout 20
