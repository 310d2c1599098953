/* The inputs of a function from the bytes that libFuzzer gives: numbers, objects, variables, and where pointers lead. What is
   missing at the end is zero. */
#include "footpath_fuzzer.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SUBJECT (&footpath_fuzz_targets[0])

void *footpath_fuzz_object(const void *content, size_t size);
int footpath_fuzz_run(void);

static unsigned *counts;

static unsigned number_at(unsigned at)
{
    return footpath_fuzz_input[at] | (unsigned)footpath_fuzz_input[at + 1] << 8;
}

static void set_up(void)
{
    footpath_fuzz_input = calloc(SUBJECT->input_size, 1);
    footpath_fuzz_places = calloc(SUBJECT->object_count + 1, sizeof *footpath_fuzz_places);
    footpath_fuzz_pointers = calloc(SUBJECT->link_count + 1, sizeof *footpath_fuzz_pointers);
    counts = calloc(SUBJECT->object_count + 1, sizeof *counts);
    if (!footpath_fuzz_input || !footpath_fuzz_places || !footpath_fuzz_pointers || !counts)
        abort();
}

static void make_object(unsigned i)
{
    const struct footpath_fuzz_object *object = &SUBJECT->objects[i];
    unsigned count = object->has_count ? 1 + number_at(object->count_at) % object->most : 1;
    size_t size = (size_t)count * object->element;
    const unsigned char *content = object->has_content ? footpath_fuzz_input + object->content_at : 0;
    counts[i] = count;
    if (!object->address)
        footpath_fuzz_places[i] = footpath_fuzz_object(content, size);
    else {
        footpath_fuzz_places[i] = object->address();
        if (content)
            memcpy(footpath_fuzz_places[i], content, size);
    }
    if (object->is_text)
        ((unsigned char *)footpath_fuzz_places[i])[size - 1] = 0;
}

static void set_pointer(unsigned i)
{
    const struct footpath_fuzz_link *link = &SUBJECT->links[i];
    unsigned choices = link->count + (link->otherwise || !link->count);
    unsigned choice = number_at(link->choice_at) % choices;
    unsigned char *leads = 0;
    if (choices == link->count || choice) {
        const struct footpath_fuzz_goal *goal =
            &SUBJECT->goals[link->first + choice - (choices != link->count)];
        leads = goal->object < 0 ? goal->address : footpath_fuzz_places[goal->object];
        leads += goal->offset;
        if (goal->element)
            leads += (size_t)(number_at(link->choice_at + 2) % (counts[goal->object] + 1)) * goal->element;
    }
    else if (link->otherwise == MAY_BE_NUMBER)
        return;
    if (link->object < 0)
        footpath_fuzz_pointers[i] = leads;
    else if (link->offset + sizeof leads <= (size_t)counts[link->object] * SUBJECT->objects[link->object].element)
        memcpy((unsigned char *)footpath_fuzz_places[link->object] + link->offset, &leads, sizeof leads);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    unsigned i;
    /* What libFuzzer tries first: it is no input that anybody found. */
    if (!size)
        return 0;
    if (!counts)
        set_up();
    memset(footpath_fuzz_input, 0, SUBJECT->input_size);
    memcpy(footpath_fuzz_input, data, size < SUBJECT->input_size ? size : SUBJECT->input_size);
    for (i = 0; i < SUBJECT->object_count; i++)
        make_object(i);
    for (i = 0; i < SUBJECT->link_count; i++)
        set_pointer(i);
    return footpath_fuzz_run();
}
