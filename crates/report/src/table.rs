//! Tables of a few narrow columns. Two dozen lines of our own: table crates bring borders and wrapping inside
//! cells, and a report wants neither.

/// A table with aligned columns, each line indented by `indent`; `None` if it would be wider than `width`.
/// Columns of numbers only stand to the right.
pub fn table(header: &[String], rows: &[Vec<String>], indent: usize, width: usize) -> Option<String> {
    let columns = header.len();
    let mut widths: Vec<usize> = header.iter().map(|h| chars(h)).collect();
    for row in rows {
        for (w, cell) in widths.iter_mut().zip(row) {
            *w = (*w).max(chars(cell));
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
            let padding = " ".repeat(widths[c] - chars(cell));
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
    let mut text = String::new();
    let mut line = " ".repeat(indent);
    let mut empty = true;
    for (i, item) in items.iter().enumerate() {
        let comma = if i + 1 < items.len() { "," } else { "" };
        let piece = format!("{item}{comma}");
        if !empty && chars(&line) + 1 + chars(&piece) > width {
            text.push_str(&line);
            text.push('\n');
            line = " ".repeat(indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(&piece);
        empty = false;
    }
    if !empty {
        text.push_str(&line);
        text.push('\n');
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
        if i > 0 && chars(&line) + 1 + chars(&piece) > width {
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

/// How many columns a text takes. Counts characters, as source names and numbers are what stands here, and
/// skips the escape sequences of colours.
pub fn chars(text: &str) -> usize {
    let mut in_escape = false;
    let mut count = 0;
    for c in text.chars() {
        match (in_escape, c) {
            (false, '\x1b') => in_escape = true,
            (false, _) => count += 1,
            (true, 'm') => in_escape = false,
            (true, _) => {}
        }
    }
    count
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
    fn colours_take_no_room() {
        assert_eq!(chars("\x1b[1m\x1b[32mgreen\x1b[0m"), 5);
        let text = hang("Find", &strings(&["\x1b[32m2 covered\x1b[0m", "1 test"]), 6, 21);
        assert_eq!(text, "Find  \x1b[32m2 covered\x1b[0m;\n      1 test\n");
    }

    #[test]
    fn lists_wrap_between_items() {
        assert_eq!(wrap(&strings(&["aaa", "bbb", "ccc"]), 1, 10), " aaa, bbb,\n ccc\n");
    }
}
