//! Names that a user may have meant.

/// The names that are most like `name`, or some of all names.
pub(crate) fn there_is(name: &str, known: &[&str]) -> String {
    const MOST: usize = 5;
    let lower = name.to_lowercase();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for &other in known {
        let candidate = other.to_lowercase();
        let far = distance(&lower, &candidate);
        let part = !candidate.is_empty() && (candidate.contains(&lower) || lower.contains(&candidate));
        if part || far <= 1 + name.chars().count() / 4 {
            near.push((far, other));
        }
    }
    near.sort_unstable();
    let names: Vec<&str> = near.into_iter().map(|(_, other)| other).collect();
    let names = if names.is_empty() { known.to_vec() } else { names };
    match names.len() {
        0 => "the program has none".to_owned(),
        n if n > MOST => format!("there is {}, and {} more", names[..MOST].join(", "), n - MOST),
        _ => format!("there is {}", names.join(", ")),
    }
}

/// How many characters must be inserted, removed or replaced (Levenshtein); names are short.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(200).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(200).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            let best = replaced.min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, expected) in [("", "", 0), ("abs", "", 3), ("find", "fund", 1), ("kitten", "sitting", 3)] {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn near_names_are_suggested_and_others_listed() {
        let known = ["FindMax", "FindMin", "Sort", "Insert", "Main", "Abs"];
        assert_eq!(there_is("findmax", &known), "there is FindMax, FindMin");
        assert_eq!(there_is("Sotr", &known), "there is Sort");
        assert_eq!(there_is("zzz", &known), "there is FindMax, FindMin, Sort, Insert, Main, and 1 more");
        assert_eq!(there_is("zzz", &[]), "the program has none");
    }
}
