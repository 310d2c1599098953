//! Functions in C that stand for a library, as no file of the corpus can say it. Needs a clang.

use super::support::{lowered_but, verified, words};
use footpath_frontend::c;
use footpath_verify::Options;

/// A line for each check of each function, if some of the functions are those of a library: the function, the kind, the verdict,
/// the kinds of assumptions.
fn verdicts(test: &str, text: &str, options: &Options, library: &[&str]) -> Vec<String> {
    let lowering = c::Options { conservative_externals: true, ..c::Options::default() };
    let lowered = lowered_but(test, text, &[], &lowering, library);
    let found = verified(&lowered, options);
    let mut lines = Vec::new();
    for body in &found.bodies {
        let name = &lowered.program[body.procedure].name;
        for check in &body.checks {
            lines.push(format!("{name} {} {}", check.kind, words(body, &check.verdict)));
        }
    }
    lines
}

#[test]
fn functions_of_the_library_are_passed_as_many_bytes_as_they_are_told() {
    let text = "typedef __SIZE_TYPE__ size_t; typedef unsigned char byte;\n\
                int differ(const void *a, const void *b, size_t n)\n\
                { const byte *x = a, *y = b; for (; n; n--) if (*x++ != *y++) return 1; return 0; }\n\
                const void *find(const void *s, int c, size_t n)\n\
                { const byte *p = s; for (; n; n--, p++) if (*p == c) return p; return 0; }\n\
                const void *endless(const void *s, int c)\n\
                { const byte *p = s; while (*p != c) p++; return p; }\n\
                int calls(const char *s) { return find(s, 7, 9) && differ(s, s, 1) && endless(s, 7); }\n";
    let found = verdicts("library", text, &Options::default(), &["differ", "find", "endless"]);
    for name in ["differ", "find"] {
        let of = |l: &&String| l.starts_with(&format!("{name} bounds "));
        let bounds: Vec<&String> = found.iter().filter(of).collect();
        let is_good = |l: &&String| l.contains("parameter-lengths");
        assert!(!bounds.is_empty() && bounds.iter().all(is_good), "{name}: {found:#?}");
    }
    assert!(found.contains(&"endless bounds unverified".to_owned()), "{found:#?}");
}
