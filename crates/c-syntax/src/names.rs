//! Names of the program form in the words of the source.
//!
//! A call that is inlined gives its callee's variables the callee's name and a number: `parse$2$i` is `i` of `parse`. What an external
//! function returns is `getc$1$return`. Names that begin with `$` are no variables of the source.
//!
//! **Direction of error.** None: only texts are made.

/// The name of a variable for people: `i of parse`, `memory`. `None` if the source has nothing that it is, or if it is an input,
/// such as what an external function returns.
pub fn of_variable(name: &str) -> Option<String> {
    if name.starts_with("$mem") {
        return Some("memory".to_owned());
    }
    match parts(name) {
        Some((_, "return" | "result")) => None,
        Some((inside, variable)) => Some(format!("{variable} of {inside}")),
        None => (!name.starts_with('$') && name != "result").then(|| name.to_owned()),
    }
}

/// Whether a condition with a variable of this name says nothing to people.
pub(crate) fn is_internal(name: &str) -> bool {
    name.starts_with('$') || matches!(parts(name), Some((_, "result")))
}

/// The external function whose result a variable of this name is.
pub(crate) fn returned_by(name: &str) -> Option<&str> {
    parts(name).and_then(|(function, variable)| (variable == "return").then_some(function))
}

/// The function and the variable of a name `function$number$variable`.
fn parts(name: &str) -> Option<(&str, &str)> {
    let (inside, variable) = name.rsplit_once('$')?;
    let (inside, number) = inside.rsplit_once('$')?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let function = inside.rsplit('$').next().unwrap_or(inside);
    (is_number && !function.is_empty()).then_some((function, variable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_their_names_in_the_source() {
        let said = |name| of_variable(name);
        assert_eq!(said("i").as_deref(), Some("i"));
        assert_eq!(said("parse$2$i").as_deref(), Some("i of parse"));
        assert_eq!(said("main$1$parse$2$i").as_deref(), Some("i of parse"));
        assert_eq!(said("$mem.1").as_deref(), Some("memory"));
        for nothing in ["$ended", "getc$1$return", "main$1$result", "result"] {
            assert_eq!(said(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn what_functions_return_is_known_by_its_name() {
        assert_eq!(returned_by("more$1$return"), Some("more"));
        assert_eq!(["n", "a$b", "$mem.0"].map(returned_by), [None; 3]);
        assert!(is_internal("$alive") && is_internal("f$3$result") && !is_internal("f$3$return"));
    }
}
