//! `footpath test` on places that many iterations lead to, or none, and on structures with pointers to pointers. It needs a
//! clang.

use super::testing::{check, folder, verdicts, write};

const DEEP: &str = "
int steps(int n)
{
    int i = 0, s = 1;
    while (i < n) { i++; s += 2; }
    if (s == 7001)
        return 1;
    return 0;
}
";

#[test]
fn thousands_of_iterations_lead_to_a_test() {
    let folder = folder("deep");
    write(&folder, "deep.c", DEEP);
    let args = ["deep.c", "-o", "out", "--format", "json", "--timeout", "240"];
    let said = verdicts(&check(&folder, &args, 0, &[]));
    assert!(said.contains(&r#""L7" "covered""#.to_owned()), "{said:?}");
}

const NAMES: &str = "
typedef struct entry { char **names; int size; } entry;
int size_of(const entry *e) { return e->size; }
";

#[test]
fn a_crash_counts_whatever_a_structure_points_to() {
    let folder = folder("names");
    write(&folder, "names.c", NAMES);
    let args = ["names.c", "-o", "out", "--timeout", "30"];
    check(&folder, &args, 0, &["needs `e != NULL`, or a null pointer is dereferenced"]);
}
