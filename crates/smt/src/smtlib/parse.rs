//! An incremental parser of S-expressions.
//!
//! Bytes arrive from a pipe in pieces, and they come from a program that may be broken: the reader accepts any bytes
//! at any boundaries, is iterative, and refuses expressions that are too long or too deep. The syntax is SMT-LIB 2.6,
//! section 3.1: comments, `|quoted symbols|`, strings with doubled quotes.
//!
//! **Direction of error.** Malformed input is an error, never a guess.

use std::fmt;

/// The limit on the length of an expression.
const LENGTH: usize = 256 << 20;
/// The limit on the depth of an expression, as traversing it needs stack.
const DEPTH: usize = 4000;

/// An S-expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sexpr {
    /// A symbol, without bars, a keyword or a number.
    Atom(String),
    /// A string, without quotes.
    Text(String),
    /// A list.
    List(Vec<Sexpr>),
}

impl Sexpr {
    pub(crate) fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(a) => Some(a),
            _ => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(l) => Some(l),
            _ => None,
        }
    }

    /// The items of a list that starts with the atom `head`, without it.
    pub(crate) fn call(&self, head: &str) -> Option<&[Sexpr]> {
        let (first, rest) = self.list()?.split_first()?;
        (first.atom() == Some(head)).then_some(rest)
    }
}

/// For messages.
impl fmt::Display for Sexpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sexpr::Atom(a) => f.write_str(a),
            Sexpr::Text(t) => write!(f, "{t:?}"),
            Sexpr::List(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str(")")
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    #[default]
    Between,
    Atom,
    Bars,
    Text,
    /// After a quote that ends the text unless another one follows.
    Quote,
    Comment,
}

/// Collects bytes into S-expressions.
#[derive(Default)]
pub(crate) struct Reader {
    mode: Mode,
    token: Vec<u8>,
    open: Vec<Vec<Sexpr>>,
    length: usize,
    done: Vec<Sexpr>,
}

impl Reader {
    /// Takes more bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<(), String> {
        for &b in bytes {
            self.length += 1;
            if self.length > LENGTH {
                return Err(format!("an answer of more than {} MB", LENGTH >> 20));
            }
            self.byte(b)?;
        }
        Ok(())
    }

    /// All complete expressions since the last call.
    pub(crate) fn take(&mut self) -> Vec<Sexpr> {
        std::mem::take(&mut self.done)
    }

    fn byte(&mut self, b: u8) -> Result<(), String> {
        match self.mode {
            Mode::Comment => {
                if b == b'\n' {
                    self.mode = Mode::Between;
                }
                return Ok(());
            }
            Mode::Bars => {
                if b == b'|' {
                    self.mode = Mode::Between;
                    let token = self.token();
                    self.item(Sexpr::Atom(token));
                } else {
                    self.token.push(b);
                }
                return Ok(());
            }
            Mode::Text => {
                if b == b'"' {
                    self.mode = Mode::Quote;
                } else {
                    self.token.push(b);
                }
                return Ok(());
            }
            Mode::Quote => {
                if b == b'"' {
                    self.token.push(b);
                    self.mode = Mode::Text;
                    return Ok(());
                }
                self.mode = Mode::Between;
                let token = self.token();
                self.item(Sexpr::Text(token));
            }
            Mode::Atom => {
                if !matches!(b, b'(' | b')' | b'"' | b';' | b'|') && !b.is_ascii_whitespace() {
                    self.token.push(b);
                    return Ok(());
                }
                self.mode = Mode::Between;
                let token = self.token();
                self.item(Sexpr::Atom(token));
            }
            Mode::Between => {}
        }
        match b {
            b'(' => {
                if self.open.len() >= DEPTH {
                    return Err(format!("an answer nested deeper than {DEPTH}"));
                }
                self.open.push(Vec::new());
            }
            b')' => match self.open.pop() {
                Some(list) => self.item(Sexpr::List(list)),
                None => return Err("a closing parenthesis too many".to_owned()),
            },
            b';' => self.mode = Mode::Comment,
            b'|' => self.mode = Mode::Bars,
            b'"' => self.mode = Mode::Text,
            b if b.is_ascii_whitespace() => {}
            b => {
                self.token.push(b);
                self.mode = Mode::Atom;
            }
        }
        Ok(())
    }

    fn token(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.token).into_owned();
        self.token.clear();
        text
    }

    fn item(&mut self, item: Sexpr) {
        match self.open.last_mut() {
            Some(list) => list.push(item),
            None => {
                self.length = 0;
                self.done.push(item);
            }
        }
    }
}

/// All expressions of a text.
#[cfg(test)]
pub(crate) fn parse_all(text: &str) -> Result<Vec<Sexpr>, String> {
    let mut reader = Reader::default();
    reader.feed(text.as_bytes())?;
    reader.feed(b"\n")?;
    Ok(reader.take())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_at_any_boundary() {
        let text = "sat ; a comment (\n(error \"say \"\"no\"\"\") (|a b| (c) #x0F)\n";
        let whole = parse_all(text).unwrap();
        assert_eq!(whole.len(), 3);
        assert_eq!(whole[1].call("error").unwrap()[0], Sexpr::Text("say \"no\"".to_owned()));
        assert_eq!(whole[2].list().unwrap()[0].atom(), Some("a b"));
        let mut reader = Reader::default();
        let mut one_by_one = Vec::new();
        for b in text.bytes() {
            reader.feed(&[b]).unwrap();
            one_by_one.extend(reader.take());
        }
        assert_eq!(one_by_one, whole);
    }

    #[test]
    fn nonsense_is_an_error_and_not_a_crash() {
        assert!(parse_all(")").is_err());
        assert!(parse_all(&"(".repeat(1_000_000)).is_err());
        assert_eq!(parse_all("((((").unwrap(), vec![]);
        assert_eq!(parse_all("\"open").unwrap(), vec![]);
        let mut reader = Reader::default();
        assert!(reader.feed(&[0, 255, 254, b' ']).is_ok());
        assert_eq!(reader.take().len(), 1);
    }
}
