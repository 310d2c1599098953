/* Input-to-state correspondence: where one operand of a comparison is found in the input, the other is put in its place.

   Example: a run compares 17 with 65, and the input has a 17 somewhere: 65 replaces it, 64 and 66, too. The same is done with text
   that functions of the library compare, and with numbers of several bytes in either order.

   C. Aschermann et al., "REDQUEEN: fuzzing with input-to-state correspondence" (NDSS 2019). Here an operand is replaced wherever it
   is found, without finding out first which bytes decide, as inputs are small. */

static void put_and_try(const byte *input, unsigned at, const byte *value, unsigned size)
{
    if (is_over() || at + size > SUBJECT->input_size)
        return;
    memcpy(S->trial, input, SUBJECT->input_size);
    memcpy(S->trial + at, value, size);
    try_input(S->trial);
}

static void copy_number(const byte *input, word from, word to, unsigned bits)
{
    unsigned f, k, i, size = bits / 8;
    int tried = 0;
    for (f = 0; f < SUBJECT->field_count; f++) {
        const struct footpath_fuzz_field *field = &SUBJECT->fields[f];
        unsigned count = asked(input, field);
        if (field->kind == CHOICE || field->kind == FLOAT)
            continue;
        for (k = 0; k < count && tried < 24; k++) {
            unsigned at = field->at + k * field->size, width = field->size < 8 ? field->size : 8;
            word here = number_at(input, at, width), mask = width < 8 ? ((word)1 << 8 * width) - 1 : ~0ull;
            word all = bits < 64 ? ((word)1 << bits) - 1 : ~0ull;
            /* The comparison may be of a wider number than the input has. */
            if (here == from || (extended(here, 8 * width) & all) == from) {
                byte value[8];
                for (i = 0; i < 3; i++) {
                    word changed = (to + i - (i == 2 ? 3 : 0)) & mask;
                    memcpy(value, &changed, 8);
                    put_and_try(input, at, value, width);
                }
                tried++;
            }
            if (field->size == 1 && size > 1 && size <= 8 && k + size <= field->count) {
                byte little[8], big[8], changed[8];
                unsigned s;
                for (s = size; s > 1; s /= 2) {
                    for (i = 0; i < s; i++) {
                        little[i] = (byte)(from >> 8 * i);
                        big[i] = (byte)(from >> 8 * (s - 1 - i));
                    }
                    if (s < 8 && from >> 8 * s)
                        break;
                    for (i = 0; i < s; i++)
                        changed[i] = (byte)(to >> 8 * i);
                    if (from && !memcmp(input + at, little, s)) {
                        put_and_try(input, at, changed, s);
                        tried++;
                    }
                    for (i = 0; i < s; i++)
                        changed[i] = (byte)(to >> 8 * (s - 1 - i));
                    if (!memcmp(input + at, big, s)) {
                        put_and_try(input, at, changed, s);
                        tried++;
                    }
                }
            }
        }
    }
}

static void copy_float(const byte *input, word from_bits, word to_bits)
{
    unsigned f, k, i;
    double from, to;
    memcpy(&from, &from_bits, 8);
    memcpy(&to, &to_bits, 8);
    for (f = 0; f < SUBJECT->field_count; f++) {
        const struct footpath_fuzz_field *field = &SUBJECT->fields[f];
        unsigned count = asked(input, field);
        for (k = 0; k < count && k < 32; k++) {
            unsigned at = field->at + k * field->size;
            byte value[16] = {0};
            if (field->kind == FLOAT && float_at(input + at, field->size) == from) {
                for (i = 0; i < 3; i++) {
                    put_float(value, field->size, to + (double)i - (i == 2 ? 3 : 0));
                    put_and_try(input, at, value, field->size < 16 ? field->size : 16);
                }
            } else if (field->kind == NUMBER && (double)(long long)extended(number_at(input, at, field->size), 8 * (field->size < 8 ? field->size : 8)) == from
                       && to > -9e18 && to < 9e18) {
                for (i = 0; i < 3; i++) {
                    word number = (word)((long long)to + i - (i == 2 ? 3 : 0));
                    put_and_try(input, at, (byte *)&number, field->size < 8 ? field->size : 8);
                }
            }
        }
    }
}

static void copy_text(const byte *input, const struct text *text)
{
    unsigned f, side;
    for (side = 0; side < 2; side++) {
        const byte *from = side ? text->right : text->left, *to = side ? text->left : text->right;
        unsigned size = side ? text->left_size : text->right_size, own = side ? text->right_size : text->left_size, k;
        if (!size)
            continue;
        learn_word(to, size);
        for (f = 0; f < SUBJECT->field_count; f++) {
            const struct footpath_fuzz_field *field = &SUBJECT->fields[f];
            unsigned count = asked(input, field);
            int tried = 0;
            if (field->size != 1 || field->count < 2)
                continue;
            for (k = 0; k < count && tried < 8; k++) {
                unsigned n = size < field->count - k ? size : field->count - k, same;
                unsigned likely = own && !from[own - 1] ? own - 1 : own;
                same = likely < field->count - k ? likely : field->count - k;
                if (memcmp(input + field->at + k, from, same) || (!same && k && input[field->at + k - 1]))
                    continue;
                tried++;
                put_and_try(input, field->at + k, to, n);
                /* Without the zero at its end, so that what follows stays. */
                if (n > 1 && !to[n - 1])
                    put_and_try(input, field->at + k, to, n - 1);
            }
        }
    }
}

/* Puts words into each text of an input, at its end or before some byte: all if these are few, or some. */
static void copy_words(const byte *input)
{
    unsigned f, k;
    for (f = 0; f < SUBJECT->field_count; f++) {
        const struct footpath_fuzz_field *field = &SUBJECT->fields[f];
        unsigned count = field->size == 1 && field->count > 1 ? asked(input, field) : 0, length = 0;
        while (length < count && input[field->at + length])
            length++;
        for (k = 0; k < S->word_count && k < WORDS && length < count && !is_over(); k++) {
            unsigned which = S->word_count > WORDS ? below(S->word_count) : k;
            memcpy(S->trial, input, SUBJECT->input_size);
            put_word(S->trial + field->at, count, below(2) ? length : below(length + 1), which, 1);
            try_input(S->trial);
        }
    }
}

static void copy_operands(unsigned which)
{
    struct pair pairs[PAIRS];
    struct text texts[TEXTS];
    unsigned i, n, m;
    byte *input = S->work;
    memcpy(input, kept(which), SUBJECT->input_size);
    S->is_copied[which] = 1;
    S->logging = 1;
    take(input, run(input));
    S->logging = 0;
    n = S->pair_count;
    m = S->text_count;
    memcpy(pairs, S->pairs, n * sizeof *pairs);
    memcpy(texts, S->texts, m * sizeof *texts);
    for (i = 0; i < n && !is_over(); i++) {
        if (pairs[i].bits == 65) {
            copy_float(input, pairs[i].left, pairs[i].right);
            copy_float(input, pairs[i].right, pairs[i].left);
            continue;
        }
        learn(pairs[i].left);
        learn(pairs[i].right);
        copy_number(input, pairs[i].left, pairs[i].right, pairs[i].bits);
        copy_number(input, pairs[i].right, pairs[i].left, pairs[i].bits);
    }
    for (i = 0; i < m && !is_over(); i++)
        copy_text(input, &texts[i]);
    copy_words(input);
}
