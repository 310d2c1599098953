//! Texts on one screen: what matters, and how much more there is.
//!
//! **Idea.** A text that is longer than a screen is not read. So sections share the lines of one. Each has a few lines that nobody
//! takes from it, and of the others the first sections get what they need. What does not fit is counted. With 40 lines, of which 10
//! are a summary, two sections of 50 and 8 lines that have 6 each in any case get 24 and 6.
//!
//! **Direction of error.** Nothing is left out without being counted.

use std::borrow::Cow;
use std::collections::BTreeMap;

use textwrap::core::display_width;

use crate::counts::plural;

/// The most lines of a text.
pub(crate) const LINES: usize = 40;

/// A heading and what stands below it.
pub(crate) struct Section {
    /// The heading.
    pub(crate) heading: String,
    /// The lines of each item.
    pub(crate) items: Vec<Vec<String>>,
    /// What the items are, for the line that counts those that are left out.
    pub(crate) noun: &'static str,
}

impl Section {
    fn size(&self) -> usize {
        if self.items.is_empty() { 0 } else { 2 + self.items.iter().map(Vec::len).sum::<usize>() }
    }

    /// As many items as there is room for in so many lines, an empty line and the heading included.
    fn within(&self, lines: usize) -> Vec<String> {
        if self.items.is_empty() || lines < 3 {
            return Vec::new();
        }
        let mut text = vec![String::new(), self.heading.clone()];
        for (i, item) in self.items.iter().enumerate() {
            let is_last = i + 1 == self.items.len();
            if text.len() + item.len() + usize::from(!is_last) > lines {
                text.push(format!("  … and {} more", plural(self.items.len() - i, self.noun)));
                break;
            }
            text.extend(item.iter().cloned());
        }
        text
    }
}

/// Why something is unknown, with what the user can do: an item for each pair of a code and its advice, those that are true of
/// the most places first. What is counted has to have a number of at least 1.
pub(crate) fn reasons(counted: BTreeMap<(String, String), usize>, width: usize) -> Vec<Vec<String>> {
    let digits = counted.values().sum::<usize>().to_string().len();
    let mut reasons: Vec<_> = counted.into_iter().collect();
    reasons.sort_by_key(|(_, count)| usize::MAX - count);
    let item = |((code, advice), count): ((String, String), usize)| {
        let first = format!("  {count:>digits$} [{code}] ");
        let options = textwrap::Options::new(width).initial_indent(&first).subsequent_indent("         ");
        let advice = advice.replace('`', "");
        textwrap::wrap(&advice, options).into_iter().map(Cow::into_owned).collect()
    };
    reasons.into_iter().map(item).collect()
}

/// A text of at most [`LINES`] lines: the head, sections, of which each has a least number of lines, and the end.
pub(crate) fn arranged(head: Vec<String>, sections: &[Section], least: &[usize], end: Vec<String>) -> String {
    let mut left = LINES.saturating_sub(head.len() + end.len());
    let mut rooms: Vec<usize> = Vec::new();
    for (section, least) in sections.iter().zip(least) {
        let room = section.size().min(*least).min(left);
        rooms.push(room);
        left -= room;
    }
    for (room, section) in rooms.iter_mut().zip(sections) {
        let more = (section.size() - (*room).min(section.size())).min(left);
        *room += more;
        left -= more;
    }
    let middle = sections.iter().zip(rooms).flat_map(|(section, room)| section.within(room));
    let mut text = head.into_iter().chain(middle).chain(end).collect::<Vec<String>>().join("\n");
    text.push('\n');
    text
}

/// A line that is no wider than `width`; what is missing is marked.
pub(crate) fn cut(line: &str, width: usize) -> String {
    if display_width(line) <= width {
        return line.to_owned();
    }
    let mut short = String::new();
    for c in line.chars() {
        if display_width(&short) + display_width(c.encode_utf8(&mut [0; 4])) + 1 > width {
            break;
        }
        short.push(c);
    }
    short.truncate(short.trim_end().len());
    short + "…"
}
