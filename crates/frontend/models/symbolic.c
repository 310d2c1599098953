/* Inputs as other tools' harnesses ask for them, and objects of any size from `footpath.h`. */
typedef __SIZE_TYPE__ size_t;

unsigned char __footpath_any_1(void);
void footpath_assume(int holds);

void footpath_input_bytes(void *object, size_t size)
{
    unsigned char *to = object;
    for (size_t i = 0; i < size; i++)
        to[i] = __footpath_any_1();
}

void klee_make_symbolic(void *object, size_t size, const char *name)
{
    (void)name;
    footpath_input_bytes(object, size);
}

int klee_int(const char *name)
{
    int n;
    (void)name;
    footpath_input_bytes(&n, sizeof n);
    return n;
}

int klee_range(int begin, int end, const char *name)
{
    int n = klee_int(name);
    footpath_assume(n >= begin && n < end);
    return n;
}
