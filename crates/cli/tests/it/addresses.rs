//! What `footpath test` makes of objects that a test's own file does not know. It needs a clang.

use super::testing::{check, folder, objectives, write};

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
    let args = ["user.c", "provider.c", "-o", "out", "--timeout", "4", "--format", "json"];
    let output = check(&folder, &args, 0, &["\"divergences\": 0"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(!report.to_string().contains("could not be built"), "{report}");
    for (name, blocks) in [("put", 2), ("seeded", 2), ("large", 1), ("holds", 4)] {
        let all = objectives(&report, name);
        assert!(all.iter().all(|o| o["verdict"] != "unreachable"), "{name}: {report}");
        let covered = all.iter().filter(|o| o["kind"] == "block" && o["verdict"] == "covered").count();
        assert!(covered >= blocks, "{name}: {covered} blocks of {report}");
    }
}
