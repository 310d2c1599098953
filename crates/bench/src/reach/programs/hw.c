/* HW: the target is reached if the text contains "Hello" and "World", in any order. */

int hw(const char *text)
{
    int i, j, k, h0 = 0, h1 = 0;

    if (!text)
        return 0;
    for (i = 0; text[i] != 0; i++) {
        const char *word = "Hello";

        for (j = i, k = 0; word[k] != 0 && text[j] != 0 && text[j] == word[k]; j++)
            k++;
        if (word[k] == 0) {
            h0 = 1;
            break;
        }
        if (text[j] == 0)
            break;
    }
    for (i = 0; text[i] != 0; i++) {
        const char *word = "World";

        for (j = i, k = 0; word[k] != 0 && text[j] != 0 && text[j] == word[k]; j++)
            k++;
        if (word[k] == 0) {
            h1 = 1;
            break;
        }
        if (text[j] == 0)
            break;
    }
    if (h0 && h1)
        return 1; /* target */
    return 0;
}
