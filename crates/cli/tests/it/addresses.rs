//! What `footpath test` makes of addresses that lead beside objects, and of objects that a test's own file does not know. It
//! needs a clang.

use super::testing::{check, folder, row, write};

/// Addresses before an object, far behind one, and near null. Each function returns without an access if it gets that far.
const BESIDE: &str = "\
#include <stddef.h>
ptrdiff_t before(char *a)
{
    char *p = a - 1;
    if (p - a == -1)
        return 3;
    return p - a;
}
size_t last(const char *a, size_t n, char c)
{
    const char *p = a + n;
    while (p-- > a)
        if (*p == c)
            break;
    if (p - a + 1 == 0)
        return (size_t)-1;
    return (size_t)(p - a);
}
static const char *behind(const char *buffer, size_t size)
{
    if (!size)
        return buffer;
    return buffer[0] ? buffer + 1 : NULL;
}
int walk(const char *text, size_t size)
{
    const char *end = text, *limit = text + size;
    if (text)
        return 7;
    while (end < limit) {
        end = behind(text, limit - text);
        if (!end)
            return -1;
    }
    return 0;
}
int far(char *from, size_t size)
{
    char *to = from + size;
    if (size >= 1 && to < from)
        return 1;
    return 0;
}
";

#[test]
fn addresses_beside_objects_are_as_machines_have_them() {
    let folder = folder("beside");
    write(&folder, "beside.c", BESIDE);
    let output =
        check(&folder, &["beside.c", "-o", "out", "--timeout", "3"], 0, &["before", "last", "walk", "far"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("diverge"), "{said}");
    let row = |name| row(&said, name);
    // Blocks, branches, failing, infeasible, unknown.
    assert_eq!(row("before")[1..6], ["3/4", "1/2", "0", "2", "0"], "{said}");
    assert_eq!(row("last")[1..4], ["9/9", "6/6", "2"], "{said}");
    assert_eq!(row("far")[1..5], ["5/5", "4/4", "0", "0"], "{said}");
}

const PARTS: &str = "\
struct sink { const unsigned long size; unsigned long used; char *data; };
struct link { struct link *before, *next; };
struct part { int kind; unsigned long uses; };
unsigned next_seed(void);
int rows(void);
struct link *first_of(struct part *p);
";

const USER: &str = "\
#include \"parts.h\"
int put(struct sink *s, char c)
{
    if (s->used >= s->size)
        return -1;
    s->data[s->used++] = c;
    return 0;
}
int seeded(void)
{
    if (next_seed() == 7)
        return 1;
    return 2;
}
int large(void) { return rows() > 5; }
int holds(struct part *p)
{
    if (p->kind != 1)
        return -1;
    struct link *first = first_of(p);
    if (!first)
        return 0;
    return first->before == first->next ? 1 : 2;
}
";

/// What the user has no names for: variables, and what a `struct part` is a part of.
const PROVIDER: &str = "\
#include \"parts.h\"
unsigned seed = 3;
struct table { int rows, columns; } table;
void begin(unsigned n) { seed = n; table.rows = n; }
unsigned next_seed(void) { return seed++; }
int rows(void) { return table.rows; }
static struct link nowhere;
struct whole { struct part part; struct link list; };
struct link *first_of(struct part *p)
{
    struct whole *whole = (struct whole *)p;
    if (whole->list.next == &whole->list || whole->list.next == &nowhere)
        return 0;
    return whole->list.next;
}
";

#[test]
fn tests_set_what_their_own_file_has_no_name_for() {
    let folder = folder("apart");
    write(&folder, "parts.h", PARTS);
    write(&folder, "user.c", USER);
    write(&folder, "provider.c", PROVIDER);
    let functions = ["put", "seeded", "large", "holds"];
    let output = check(&folder, &["user.c", "provider.c", "-o", "out", "--timeout", "4"], 0, &functions);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for word in ["diverge", "could not be built", "infeasible["] {
        assert!(!said.contains(word), "{said}");
    }
    for name in &functions[..2] {
        assert_eq!(row(&said, name)[2], "2/2", "{said}");
    }
    assert_eq!(row(&said, "holds")[2], "4/4", "{said}");
}

/// Lists with a head that is in them, in what holds the list.
const RINGS: &str = "\
struct list { struct list *before, *next; };
struct box { int n; struct list items; };
int is_empty(struct list *l)
{
    if (l->next == l)
        return 1;
    return 0;
}
int count(struct box *b)
{
    int n = 0;
    for (struct list *p = b->items.next; p != &b->items; p = p->next)
        if (++n > 3)
            return -1;
    return n;
}
static struct box shared = {0, {&shared.items, &shared.items}};
void put(struct list *l)
{
    l->next = shared.items.next;
    l->before = &shared.items;
    shared.items.next->before = l;
    shared.items.next = l;
}
int any(void)
{
    if (shared.items.next == &shared.items)
        return 0;
    return 1;
}
";

#[test]
fn lists_may_lead_back_to_their_heads() {
    let folder = folder("rings");
    write(&folder, "rings.c", RINGS);
    let output = check(&folder, &["rings.c", "-o", "out", "--timeout", "5"], 0, &[]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("diverge") && !said.contains("could not be built"), "{said}");
    for (name, branches) in [("is_empty", "2/2"), ("count", "4/4"), ("any", "2/2")] {
        assert_eq!(row(&said, name)[2], branches, "{said}");
    }
}

const PASSED: &str = "\
struct mark { unsigned long line, column, index; };
struct parser { struct mark *top; int error; };
static void fail(struct parser *p, const char *what, struct mark at)
{
    p->error = what[0] + (int)at.line;
}
int ends(struct parser *p)
{
    fail(p, \"end\", *(--p->top));
    return 0;
}
";

#[test]
fn passing_a_structure_reads_it() {
    let folder = folder("passed");
    write(&folder, "passed.c", PASSED);
    let output = check(&folder, &["passed.c", "--function", "ends", "-o", "out"], 0, &["fails[bounds]"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("diverge"), "{said}");
    // One is about `p`, one about what is passed.
    assert_eq!(said.matches("fails[null]").count(), 2, "{said}");
}
