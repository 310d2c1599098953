/* Mutation: an input with something changed, by the kinds of its fields. Numbers become interesting ones (bounds, powers of two,
   operands of comparisons), text gets other characters, words that were compared or that are constants of the program, and pieces
   of itself, choices are made anew. */

static word interesting(unsigned size)
{
    static const int small[] = {0, 1, 2, 3, 4, 7, 8, 9, 10, 15, 16, 31, 32, 33, 63, 64, 99, 100, 127, 128, 129, 255, 256, 1000, 1024};
    unsigned bits = 8 * (size < 8 ? size : 8);
    switch (below(6)) {
    case 0: return (word)0 - (word)small[below(sizeof small / sizeof *small)];
    case 1: return (word)1 << below(bits);
    case 2: return ((word)1 << below(bits)) - 1;
    case 3: return S->known_count ? S->known[below(S->known_count)] : draw();
    case 4: return draw() >> below(64);
    default: return (word)small[below(sizeof small / sizeof *small)];
    }
}

/* How many choices there are now, of which many are numbers of elements. */
static unsigned limit_of(const struct footpath_fuzz_field *field)
{
    return S->is_long || field->limit < SHORT ? field->limit : SHORT;
}

/* A choice; of many mostly one of the first, as short arrays are faster. */
static word choose(const struct footpath_fuzz_field *field)
{
    unsigned limit = limit_of(field), few = SHORT;
    while (few < limit && below(4))
        few *= 2;
    return below(few < limit ? few : limit);
}

static void mutate_float(byte *to, unsigned size)
{
    double x = float_at(to, size);
    switch (below(8)) {
    case 0: x = (double)(long long)interesting(8); break;
    case 1: x = -x; break;
    case 2: x += (double)below(33) - 16; break;
    case 3: x *= 2; break;
    case 4: x /= 2; break;
    case 5: x = (double)(long long)(draw() >> below(64)) / (1 + below(1000)); break;
    case 6: x = below(2) ? __builtin_inf() : __builtin_nan(""); break;
    default: to[below(size < 10 ? size : 10)] ^= (byte)(1u << below(8)); return;
    }
    put_float(to, size, x);
}

/* Puts a word into a text of so many bytes, over what is there or before it. */
static void put_word(byte *text, unsigned count, unsigned at, unsigned which, int before)
{
    unsigned n = S->word_sizes[which];
    if (n > count - at)
        n = count - at;
    if (before)
        memmove(text + at + n, text + at, count - at - n);
    memcpy(text + at, S->words[which], n);
}

/* Bytes that stand next to each other are often text. */
static void mutate_text(byte *text, unsigned count)
{
    static const byte common[] = " \t\n\r,;:.=+-*/<>()[]{}\"'\\#%&|!?_$@^~0123456789aAbBeEfFnNrRtTxXzZ";
    unsigned length = 0, at, n;
    while (length < count && text[length])
        length++;
    at = below(below(2) ? count : below(2) ? length + (length < count) : count < 16 ? count : 16);
    switch (below(9)) {
    case 0: text[at] = (byte)draw(); break;
    case 1: text[at] ^= (byte)(1u << below(8)); break;
    case 2: text[at] = (byte)(text[at] + below(9) - 4); break;
    case 3:
        memmove(text + at + (at + 1 < count), text + at, count - at - (at + 1 < count));
        text[at] = common[below(sizeof common - 1)];
        break;
    case 4:
        n = 1 + below(below(2) ? 4 : count - at);
        if (n > count - at)
            n = count - at;
        memmove(text + at, text + at + n, count - at - n);
        break;
    case 5:
        if (S->word_count)
            put_word(text, count, at, below(S->word_count), (int)below(2));
        break;
    case 6: {
        unsigned from = below(count);
        n = 1 + below(8);
        if (n > count - at)
            n = count - at;
        if (n > count - from)
            n = count - from;
        memmove(text + at, text + from, n);
        break;
    }
    case 7: {
        word value = interesting(4);
        unsigned i, most = 1u << below(3);
        for (i = 0; i < most && at + i < count; i++)
            text[at + i] = (byte)(value >> 8 * (below(2) ? i : most - 1 - i));
        break;
    }
    default: text[at] = common[below(sizeof common - 1)]; break;
    }
}

static void mutate(byte *input)
{
    const struct footpath_fuzz_field *field;
    unsigned count, tries = 0;
    byte *to;
    do {
        field = &SUBJECT->fields[below(SUBJECT->field_count)];
        count = asked(input, field);
    } while (!count && ++tries < 64);
    if (!count)
        return;
    to = input + field->at + below(count) * field->size;
    if (field->kind == CHOICE)
        put(to, 0, field->size, choose(field));
    else if (field->kind == FLOAT)
        mutate_float(to, field->size);
    else if (field->size == 1 && field->count > 1)
        mutate_text(input + field->at, count);
    else {
        word value = number_at(to, 0, field->size);
        switch (below(4)) {
        case 0: value ^= (word)1 << below(8 * (field->size < 8 ? field->size : 8)); break;
        case 1: value += below(33) - 16ull; break;
        case 2:
            if (count > 1) {
                value = number_at(input, field->at + below(count) * field->size, field->size);
                break;
            }
            /* Fall through. */
        default: value = interesting(field->size); break;
        }
        put(to, 0, field->size, value);
    }
}
