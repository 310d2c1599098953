//! Z3's own interpreter of SMT-LIB 2, as the inside of a solver process.
//!
//! A crash of Z3 ends the process that it is in. So a process whose Z3 crashed can ask another one instead, which holds an
//! [`Interpreter`] and is driven as any solver by pipe ([`Process`]): text comes in pieces, and what is complete of it is carried out.
//!
//! Example: after `(assert false)(che` nothing was answered and `(che` waits; after `ck-sat)` the answer is `unsat`.
//!
//! **Direction of error.** What Z3 does not understand is answered with `(error "…")`, which [`Process`] takes for no answer.
//!
//! [`Process`]: crate::Process

use super::ffi::{SmtLib, set_global};

/// An interpreter of SMT-LIB 2 commands, with the state that they leave.
pub struct Interpreter {
    z3: SmtLib,
    scanner: Scanner,
    /// What came and was not carried out yet.
    waiting: Vec<u8>,
}

impl Interpreter {
    /// An interpreter without assertions, whose Z3 uses at most so many megabytes.
    ///
    /// # Errors
    /// If the linked library is not the expected version of Z3.
    pub fn new(megabytes: Option<u32>) -> Result<Interpreter, String> {
        if let Some(megabytes) = megabytes {
            set_global("memory_max_size", &megabytes.to_string());
        }
        let z3 = SmtLib::new().map_err(|e| e.0)?;
        Ok(Interpreter { z3, scanner: Scanner::default(), waiting: Vec::new() })
    }

    /// Carries out the commands that are complete with these bytes; what they print.
    pub fn feed(&mut self, bytes: &[u8]) -> String {
        let before = self.waiting.len();
        self.waiting.extend_from_slice(bytes);
        let Some(end) = self.scanner.last_end(bytes) else { return String::new() };
        let rest = self.waiting.split_off(before + end);
        let commands = std::mem::replace(&mut self.waiting, rest);
        self.z3.evaluate(&String::from_utf8_lossy(&commands))
    }
}

/// Where a byte of SMT-LIB 2 is.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    #[default]
    Plain,
    /// In a string. A doubled quote ends it and begins it again.
    Text,
    /// In a symbol between bars.
    Symbol,
    Comment,
}

/// Finds the ends of commands.
#[derive(Default)]
struct Scanner {
    place: Place,
    depth: usize,
}

impl Scanner {
    /// How many of the next bytes belong to commands that are complete, if one ends there.
    fn last_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut end = None;
        for (at, &byte) in bytes.iter().enumerate() {
            self.place = match (self.place, byte) {
                (Place::Plain, b'"') => Place::Text,
                (Place::Plain, b'|') => Place::Symbol,
                (Place::Plain, b';') => Place::Comment,
                (Place::Text, b'"') | (Place::Symbol, b'|') | (Place::Comment, b'\n') => Place::Plain,
                (place, _) => place,
            };
            match (self.place, byte) {
                (Place::Plain, b'(') => self.depth += 1,
                (Place::Plain, b')') => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        end = Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_complete_at_their_last_parenthesis() {
        let ends = |text: &str| Scanner::default().last_end(text.as_bytes());
        assert_eq!(ends("(a (b) c"), None);
        assert_eq!(ends("(a (b))(c"), Some(7));
        assert_eq!(ends("(a |)| \")\"\"(\" ; )\n"), None);
        assert_eq!(ends("(a |)| \")\"\"(\" ; )\n)"), Some(19));
    }

    #[test]
    fn answers_do_not_depend_on_how_the_text_is_cut() {
        let script = "(declare-const |x)| Int)\n(assert (> |x)| 3)) ; )\n(check-sat)(get-value (|x)|))(push 1)\n\
             (assert (< |x)| 2))(check-sat)(assert nonsense)(echo \"a(\"\"b\")(pop 1)(check-sat)\n";
        let answers = |length: usize| {
            let mut z3 = Interpreter::new(None).expect("Z3 starts");
            script.as_bytes().chunks(length).map(|piece| z3.feed(piece)).collect::<String>()
        };
        let whole = answers(script.len());
        assert!(whole.starts_with("sat\n((|x)| 4))\nunsat\n(error "), "{whole}");
        assert!(whole.ends_with("a(\"b\nsat\n"), "{whole}");
        for length in [1, 2, 7] {
            // Errors tell their place in what was given at once.
            let without = |text: &str| -> Vec<String> {
                text.lines().filter(|line| !line.contains("error")).map(str::to_owned).collect()
            };
            assert_eq!(without(&answers(length)), without(&whole));
        }
    }
}
