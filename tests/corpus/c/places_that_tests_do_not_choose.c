/* Where an object stands, and what assembly writes, no test chooses: runs that are found need not be what happens, and proofs
   may not rest on it. */
static int left[4], right[4];
static char none[0], other;

int constants(void)
{
    if (left + 4 == right)
        return 1; //@ may run
    return 2; //@ may run
}

int without_elements(void)
{
    if (none == &other)
        return 1; //@ may run
    return 2; //@ may run
}

int locals(void)
{
    int a[2], b[2];
    int *p = a + 2;
    if (p == b)
        return 1; //@ may run
    return 2; //@ may run
}

static const char *text(void)
{
    return "tail";
}

int literals(void)
{
    const char *s = "longtail";
    if (s + 4 == text())
        return 1; //@ may run
    return 2; //@ may run
}

static int hidden;
__attribute__((naked)) static void bare(int *at)
{
    __asm__("movl $5, (%rdi)\n\tret");
}

int behind_assembly(void)
{
    hidden = 1;
    bare(&hidden);
    if (hidden == 5)
        return 1; //@ covered?
    return 2; //@ may run
}

//@ ask: verify --solver-seconds 1
//@ ask: verify --sound --solver-seconds 1
//@ ask: reach --timeout 2
//@ ask: failures --timeout 3 --query-timeout 0.5
