/* Copying a name into a buffer, with one place too few for the zero at the end. */

#define NAME 4

void set_name(char name[NAME], const char text[8])
{
    char buffer[NAME];
    int i = 0;

    while (i < NAME && text[i] != '\0') {
        buffer[i] = text[i]; //@ holds bounds
        i++;
    }
    buffer[i] = '\0'; //@ fails bounds
    for (int k = 0; k < NAME && buffer[k]; k++)
        name[k] = buffer[k]; //@ covered
}

int count_vowels(const char text[6])
{
    int count = 0;

    for (int i = 0; i < 6 && text[i]; i++) {
        switch (text[i]) {
        case 'a':
        case 'e':
        case 'i':
        case 'o':
        case 'u':
            count++; //@ covered
        }
    }
    if (count > 6)
        return -1; //@ unreachable
    return count; //@ covered
}
