//! Comma-separated values, written and read (RFC 4180): a field with a comma, a quote or a line break stands
//! in quotes, and quotes in it are doubled.

/// The rows as text, one line each.
pub fn write<R, F>(rows: impl IntoIterator<Item = R>) -> String
where
    R: IntoIterator<Item = F>,
    F: AsRef<str>,
{
    let mut text = String::new();
    for row in rows {
        for (i, field) in row.into_iter().enumerate() {
            if i > 0 {
                text.push(',');
            }
            let field = field.as_ref();
            if field.contains([',', '"', '\n', '\r']) {
                text.push('"');
                text.push_str(&field.replace('"', "\"\""));
                text.push('"');
            } else {
                text.push_str(field);
            }
        }
        text.push('\n');
    }
    text
}

/// The rows of a text; `None` if a quote is left open or stands in the middle of a field.
pub fn read(text: &str) -> Option<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (field, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_field(quoted)?,
            None => {
                let end = rest.find([',', '\n']).unwrap_or(rest.len());
                let field = rest[..end].trim_end_matches('\r');
                if field.contains('"') {
                    return None;
                }
                (field.to_owned(), &rest[end..])
            }
        };
        row.push(field);
        let after = after.strip_prefix('\r').unwrap_or(after);
        rest = if let Some(more) = after.strip_prefix(',') {
            // A comma at the very end still begins a field.
            if more.is_empty() {
                row.push(String::new());
            }
            more
        } else {
            rows.push(std::mem::take(&mut row));
            match after.strip_prefix('\n') {
                Some(more) => more,
                None if after.is_empty() => after,
                None => return None,
            }
        };
    }
    if !row.is_empty() {
        rows.push(row);
    }
    Some(rows)
}

/// A field up to its closing quote, and what follows.
fn quoted_field(mut rest: &str) -> Option<(String, &str)> {
    let mut field = String::new();
    loop {
        let end = rest.find('"')?;
        field.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                field.push('"');
                rest = more;
            }
            None => return Some((field, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let rows = vec![
            vec!["a".to_owned(), String::new(), "b, c".to_owned()],
            vec!["he said \"no\"".to_owned(), "two\nlines".to_owned(), "1.5".to_owned()],
            vec!["x".to_owned(), "y".to_owned(), String::new()],
        ];
        assert_eq!(read(&write(&rows)), Some(rows));
    }

    #[test]
    fn an_open_quote_is_no_csv() {
        assert_eq!(read("a,\"b\n"), None);
        assert_eq!(read("a\"b\n"), None);
        assert_eq!(read("\"a\"b\n"), None);
        assert_eq!(read("a,b,"), Some(vec![vec!["a".to_owned(), "b".to_owned(), String::new()]]));
    }
}
