/* The log of comparisons, and the words that are known: the operands of a run's comparisons, told by instrumented code and by functions of the
   library that compare text, which are here for that. `input_to_state.c` puts them into inputs. */

static void learn(word number)
{
    unsigned i;
    if (number + 1 < 3)
        return;
    for (i = 0; i < S->known_count; i++)
        if (S->known[i] == number)
            return;
    if (S->known_count < KNOWN)
        S->known[S->known_count++] = number;
}

static void learn_word(const byte *text, unsigned size)
{
    unsigned i;
    for (i = 0; i < S->word_count; i++)
        if (S->word_sizes[i] == size && !memcmp(S->words[i], text, size))
            return;
    if (S->word_count < KNOWN) {
        memcpy(S->words[i], text, size);
        S->word_sizes[i] = size;
        S->word_count++;
    }
}

/* The words of the target begin as its dictionary. */
static void learn_dictionary(void)
{
    const unsigned *first = &footpath_fuzz_first_words_of_targets[SUBJECT - footpath_fuzz_targets], *which;
    for (which = &footpath_fuzz_words_of_targets[first[0]]; which < &footpath_fuzz_words_of_targets[first[1]]; which++)
        learn_word(footpath_fuzz_words[*which].text, footpath_fuzz_words[*which].size);
}

static void log_pair(word left, word right, unsigned bits)
{
    unsigned i;
    if (left == right)
        return;
    for (i = 0; i < S->pair_count; i++)
        if (S->pairs[i].left == left && S->pairs[i].right == right)
            return;
    if (S->pair_count < PAIRS) {
        struct pair pair = {left, right, bits};
        S->pairs[S->pair_count++] = pair;
    }
}

static void log_text(const void *left, const void *right, size_t most, int ends, int result)
{
    struct text *text;
    size_t i;
    if (!S || !S->logging || !result || S->text_count == TEXTS)
        return;
    text = &S->texts[S->text_count++];
    text->from = left;
    if (most > TEXT)
        most = TEXT;
    for (i = 0; i < most && !(ends && i && !((const byte *)left)[i - 1]); i++)
        text->left[i] = ((const byte *)left)[i];
    text->left_size = (unsigned)i;
    for (i = 0; i < most && !(ends && i && !((const byte *)right)[i - 1]); i++)
        text->right[i] = ((const byte *)right)[i];
    text->right_size = (unsigned)i;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

static int order(const byte *a, const byte *b, size_t most, int ends, int folds)
{
    size_t i;
    int result = 0;
    for (i = 0; i < most && !result; i++) {
        result = folds ? lower(a[i]) - lower(b[i]) : a[i] - b[i];
        if (ends && !a[i])
            break;
    }
    log_text(a, b, most, ends, result);
    return result;
}

int memcmp(const void *a, const void *b, size_t n) { return order(a, b, n, 0, 0); }
int bcmp(const void *a, const void *b, size_t n) { return order(a, b, n, 0, 0); }
int strcmp(const char *a, const char *b) { return order((const byte *)a, (const byte *)b, (size_t)-1, 1, 0); }
int strncmp(const char *a, const char *b, size_t n) { return order((const byte *)a, (const byte *)b, n, 1, 0); }
int strcasecmp(const char *a, const char *b) { return order((const byte *)a, (const byte *)b, (size_t)-1, 1, 1); }
int strncasecmp(const char *a, const char *b, size_t n) { return order((const byte *)a, (const byte *)b, n, 1, 1); }
