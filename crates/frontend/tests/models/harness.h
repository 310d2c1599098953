/* What the files of the comparison share. */
#include <stdint.h>

extern unsigned long compared;

uint64_t next(void);
unsigned below(unsigned n);

/* A number of a kind that goes wrong, or any. */
double special_number(void);

/* Text over few characters, so that things are found and compare equal. */
void random_text(char *to, unsigned most, const char *alphabet);

/* What the streams of the models hold from here on. */
void set_input(const char *text);

/* What the inputs of the models will be; beyond these all are 3. */
void forget_answers(void);
int no_answers_are_left(void);
void answer(int n);
void answer_byte(unsigned char n);
void answer_word(uint32_t n);
void answer_long(uint64_t n);

void formats(void);
