//! What `footpath test` says of functions over lists. It needs a clang.

use super::testing::{check, folder, write};

/// A list that leads back to its first node keeps each of these going for ever; where their pointers may lead is known all
/// the same.
const CYCLES: &str = "\
#include <stdlib.h>
struct node { int value; struct node *next; };
unsigned length(const struct node *p)
{
    unsigned n = 0;
    for (; p; p = p->next)
        n++;
    return n;
}
struct node *find(struct node *p, int key)
{
    while (p && p->value != key)
        p = p->next;
    return p;
}
int last(const struct node *p)
{
    while (p->next)
        p = p->next;
    return p->value;
}
void release(struct node *p)
{
    while (p) {
        struct node *next = p->next;
        free(p);
        p = next;
    }
}
";

#[test]
fn checks_of_pointers_into_cyclic_lists_are_settled() {
    let folder = folder("cycles");
    write(&folder, "cycles.c", CYCLES);
    let args = ["cycles.c", "-o", "out", "--timeout", "30", "--function", "length", "--function", "find"];
    let output = check(&folder, &args, 0, &["9 checks hold (7 within bounds)"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for word in ["diverge", "unknown:", "infeasible["] {
        assert!(!said.contains(word), "{said}");
    }
    let args = ["cycles.c", "-o", "out", "--timeout", "30", "--function", "last", "--function", "release"];
    check(&folder, &args, 0, &["fails[use-after-free]: freed memory is used", "fails[null]"]);
}
