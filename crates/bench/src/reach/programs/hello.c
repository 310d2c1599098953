/* Hello: the target is reached if the text contains "Hello". */

int hello(const char *text)
{
    int i, j, k, h0 = 0;

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
    if (h0)
        return 1; /* target */
    return 0;
}
