//! Tables of a few narrow columns, and lists that are wrapped between items. The table itself is two dozen lines of our own:
//! table crates bring borders and wrapping inside cells, and a report wants neither. How wide a text is on a terminal, and where
//! lines break, the crate `textwrap` says: in `名前` each character takes two columns, a combining accent takes none, and
//! neither does the escape sequence of a colour.

use textwrap::core::{Word, display_width};
use textwrap::wrap_algorithms::wrap_first_fit;

/// A table with aligned columns, each line indented by `indent`; `None` if it would be wider than `width`.
/// Columns of numbers only stand to the right.
pub fn table(header: &[String], rows: &[Vec<String>], indent: usize, width: usize) -> Option<String> {
    let columns = header.len();
    let mut widths: Vec<usize> = header.iter().map(|h| display_width(h)).collect();
    for row in rows {
        for (w, cell) in widths.iter_mut().zip(row) {
            *w = (*w).max(display_width(cell));
        }
    }
    if indent + widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1) > width {
        return None;
    }
    let right: Vec<bool> = (0..columns)
        .map(|c| rows.iter().all(|r| r.get(c).is_none_or(|cell| cell.parse::<f64>().is_ok())))
        .collect();
    let mut text = String::new();
    for row in std::iter::once(header).chain(rows.iter().map(Vec::as_slice)) {
        let mut line = " ".repeat(indent);
        for (c, cell) in row.iter().enumerate() {
            let padding = " ".repeat(widths[c] - display_width(cell));
            if c > 0 {
                line.push_str("  ");
            }
            if right[c] {
                line.push_str(&padding);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&padding);
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    Some(text)
}

/// `items` joined by commas and broken into lines of at most `width`, where that is possible; each line is
/// indented by `indent`.
pub fn wrap(items: &[String], indent: usize, width: usize) -> String {
    let separators = std::iter::repeat_n(", ", items.len().saturating_sub(1)).chain([""]);
    let pieces: Vec<String> = items.iter().zip(separators).map(|(item, s)| format!("{item}{s}")).collect();
    let words: Vec<Word<'_>> = pieces.iter().map(|piece| Word::from(piece)).collect();
    let room = width.saturating_sub(indent) as f64;
    let mut text = String::new();
    for line in wrap_first_fit(&words, &[room]).into_iter().filter(|line| !line.is_empty()) {
        let line: String = line.iter().flat_map(|word| [word.word, word.whitespace]).collect();
        text.push_str(&format!("{:indent$}{}\n", "", line.trim_end()));
    }
    text
}

/// A line of parts joined by semicolons, broken between parts where it would be wider than `width`; the lines
/// after the first are indented by `indent`. Ends in a line break.
pub fn hang(head: &str, parts: &[String], indent: usize, width: usize) -> String {
    let mut text = String::new();
    let mut line = head.to_owned();
    for (i, part) in parts.iter().enumerate() {
        let piece = if i + 1 < parts.len() { format!("{part};") } else { part.clone() };
        let space = if i == 0 { "  " } else { " " };
        if i > 0 && display_width(&line) + 1 + display_width(&piece) > width {
            text.push_str(&line);
            text.push('\n');
            line = " ".repeat(indent) + &piece;
        } else {
            line.push_str(space);
            line.push_str(&piece);
        }
    }
    text + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(items: &[&str]) -> Vec<String> {
        items.iter().map(|&s| s.to_owned()).collect()
    }

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let rows = [strings(&["1", "-20", "returns"]), strings(&["12", "3", "fails"])];
        let text = table(&strings(&["#", "x", "outcome"]), &rows, 2, 80).expect("fits");
        assert_eq!(text, "   #    x  outcome\n   1  -20  returns\n  12    3  fails\n");
        assert_eq!(table(&strings(&["#", "x", "outcome"]), &rows, 2, 17), None);
    }

    #[test]
    fn colours_take_no_room_and_wide_characters_two_columns() {
        assert_eq!(display_width("\x1b[1m\x1b[32mgreen\x1b[0m"), 5);
        assert_eq!((display_width("名前"), display_width("e\u{301}")), (4, 1));
        let rows = [strings(&["名前", "1"]), strings(&["n", "2"])];
        let text = table(&strings(&["name", "n"]), &rows, 0, 80).expect("fits");
        assert_eq!(text, "name  n\n名前  1\nn     2\n");
        let text = hang("Find", &strings(&["\x1b[32m2 covered\x1b[0m", "1 test"]), 6, 21);
        assert_eq!(text, "Find  \x1b[32m2 covered\x1b[0m;\n      1 test\n");
    }

    #[test]
    fn lists_wrap_between_items() {
        assert_eq!(wrap(&strings(&["aaa", "bbb", "ccc"]), 1, 10), " aaa, bbb,\n ccc\n");
        assert_eq!(wrap(&strings(&["a b c", "d e"]), 0, 7), "a b c,\nd e\n");
        assert_eq!(wrap(&strings(&["much too long", "b"]), 2, 6), "  much too long,\n  b\n");
        assert_eq!(wrap(&[], 2, 6), "");
    }
}
