//! Quoting: any text as one word of a shell, of a recipe of make, or of CMake, and as a header's name in C.
//!
//! Names of files and flags are the user's, and each of these languages gives a meaning to some characters. There is one
//! function for each, and all text that is not Footpath's own goes through one. For example, `a b$(id).c` is
//! `'a b$(id).c'` for the shell, `'a b$$(id).c'` in a recipe, and `"a b\$(id).c"` for CMake.
//!
//! Names of files that Footpath makes are plain ([`plain_name`]), so that they need no quotes anywhere: prerequisites and
//! targets of make have no quotes for `;` or `=`.
//!
//! **Direction of error.** A name with a line break cannot be written for make or CMake at all; such sources are refused
//! before ([`is_expressible`]).

use std::fmt::Write as _;

/// Whether no language gives a character a meaning, wherever in a word it stands.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-+./,:".contains(c)
}

/// Whether a word needs no quotes. That a flag has a `=` makes it no assignment.
fn is_plain_word(word: &str) -> bool {
    let is_flag = word.starts_with('-');
    !word.is_empty() && word.chars().all(|c| is_plain(c) || is_flag && c == '=')
}

/// A word for the shell.
pub fn shell_word(word: &str) -> String {
    if is_plain_word(word) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A word of a recipe, for the shell that make starts. Line breaks would end the recipe, so the shell makes them.
pub(crate) fn recipe_word(word: &str) -> String {
    if !word.chars().any(char::is_control) {
        return shell_word(word).replace('$', "$$");
    }
    let octal = word.bytes().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "\\{byte:03o}");
        text
    });
    format!("\"$$(printf '{octal}')\"")
}

/// A word of a recipe as the value of a variable of make, where `#` begins a comment.
pub(crate) fn make_value(word: &str) -> String {
    recipe_word(word).replace('#', "\\#")
}

/// A file as a prerequisite, if its name has no meaning to make.
pub(crate) fn prerequisite(path: &str) -> Option<&str> {
    let has_meaning = |c: char| !is_plain(c) || c == ':';
    (!path.is_empty() && !path.contains(has_meaning)).then_some(path)
}

/// An argument for CMake, which is one element where it takes lists.
pub(crate) fn cmake_word(word: &str) -> String {
    if is_plain_word(word) {
        return word.to_owned();
    }
    let mut escaped = String::new();
    let mut characters = word.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            // A dollar sign that begins no expression, as the result of one.
            '$' if characters.peek() == Some(&'<') => escaped.push_str("$<1:\\$>"),
            '"' | '\\' | '$' | ';' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    format!("\"{escaped}\"")
}

/// A string for Meson.
pub(crate) fn meson_word(word: &str) -> String {
    format!("'{}'", word.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

/// A path as C includes it. Nothing in the name of a header has another meaning than itself.
pub(crate) fn header_name(path: &str) -> String {
    if path.contains('"') { format!("<{path}>") } else { format!("\"{path}\"") }
}

/// Whether build files and C can name a file.
pub fn is_expressible(path: &str) -> bool {
    let is_lost = |c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER;
    let ends_names = path.contains('"') && path.contains('>');
    !ends_names && !path.chars().any(is_lost)
}

/// A name for a file of Footpath's own, of characters without a meaning; different ones for different names.
pub fn plain_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '-';
    if !name.is_empty() && name.chars().all(is_plain) && !name.starts_with(['-', '.']) {
        return name.to_owned();
    }
    let mut plain: String = name.chars().map(|c| if is_plain(c) && c != '-' { c } else { '_' }).collect();
    // FNV-1a: the same name in every run and on every machine.
    let hash = name.bytes().fold(0xcbf2_9ce4_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
    let _ = write!(plain, "_{hash:08x}");
    plain.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Texts of characters that some language gives a meaning, from a seed.
    fn odd_texts() -> Vec<String> {
        const ODD: [char; 32] = [
            'a', 'b', ' ', '$', '(', ')', '`', ';', '&', '#', ':', '\'', '=', '"', '\\', '-', '%', '*', '?',
            '[', ']', '~', '|', '<', '>', '!', '{', '}', '\t', '@', 'é', '^',
        ];
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut texts: Vec<String> =
            ["$(touch x)", "`touch x`", "-n", "a;touch x", "$<1:b>", "a\nb", "'", "$$", "\\"]
                .map(str::to_owned)
                .into();
        texts.extend((0..60).map(|_| {
            let length = 1 + next() % 8;
            (0..length).map(|_| ODD[(next() % 32) as usize]).collect::<String>()
        }));
        texts
    }

    #[test]
    fn the_shell_reads_each_text_as_one_word() {
        for text in odd_texts() {
            let said =
                Command::new("sh").args(["-c", &format!("printf '%s' {}", shell_word(&text))]).output();
            assert_eq!(String::from_utf8_lossy(&said.unwrap().stdout), text);
        }
    }

    #[test]
    fn make_passes_each_text_on_as_one_word() {
        let folder = std::env::temp_dir().join(format!("footpath-quoting-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut makefile = "all:\n".to_owned();
        let texts = odd_texts();
        for (i, text) in texts.iter().enumerate() {
            makefile.insert_str(0, &format!("V{i} := {}\n", make_value(text)));
            let _ =
                writeln!(makefile, "\t@printf '%s' {} >r{i}; printf '%s' $(V{i}) >v{i}", recipe_word(text));
        }
        std::fs::write(folder.join("Makefile"), makefile).unwrap();
        let made = Command::new("make").arg("-C").arg(&folder).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        for (i, text) in texts.iter().enumerate() {
            for kind in ["r", "v"] {
                assert_eq!(
                    &std::fs::read_to_string(folder.join(format!("{kind}{i}"))).unwrap(),
                    text,
                    "{kind}{i}"
                );
            }
        }
        assert!(!folder.join("x").exists(), "a text was run");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn cmake_reads_each_text_as_one_element() {
        let folder = std::env::temp_dir().join(format!("footpath-cmake-quoting-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let texts = odd_texts();
        let texts: Vec<&String> = texts.iter().filter(|text| !text.contains("$<")).collect();
        let mut script = String::new();
        for (i, text) in texts.iter().enumerate() {
            let _ = writeln!(script, "set(list{i} first)\nlist(APPEND list{i} {})", cmake_word(text));
            let _ = writeln!(
                script,
                "list(LENGTH list{i} n)\nif(NOT n EQUAL 2)\nmessage(SEND_ERROR \"{i}\")\nendif()"
            );
        }
        let file = folder.join("script.cmake");
        std::fs::write(&file, script).unwrap();
        match Command::new("cmake").arg("-P").arg(&file).output() {
            Ok(done) => assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr)),
            // Where there is no CMake, what it must not see as its own is escaped.
            Err(_) => {
                for text in texts {
                    let word = cmake_word(text);
                    let inner = word.trim_start_matches('"').trim_end_matches('"').replace("\\\\", "");
                    let bare = |c: char| inner.replace(&format!("\\{c}"), "").contains(c);
                    assert!(!bare('$') && !bare(';'), "{word}");
                }
            }
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn names_of_own_files_are_plain_and_differ() {
        assert_eq!(plain_name("sort_f"), "sort_f");
        assert_ne!(plain_name("a b_f"), plain_name("a;b_f"));
        for text in odd_texts() {
            let name = plain_name(&text);
            assert!(prerequisite(&name).is_some() && !name.starts_with('-'), "{name}");
        }
    }
}
