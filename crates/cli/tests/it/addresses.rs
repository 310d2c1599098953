//! What `footpath test` makes of objects that a test's own file does not know. It needs a clang.

use super::testing::{check, folder, row, write};

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
