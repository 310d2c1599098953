//! Backbone trees for people: as indented text, and as a drawing (SVG).
//!
//! In the drawing each vertex is a line of text below and to the right of the one before, with a connector, as in listings of
//! folders; a loop is a box around the paths through it.

use std::fmt::Write as _;

use footpath_ir::source::SourceMap;
use footpath_loop_summaries::{Loop, Vertex};

/// A line of the tree.
struct Line {
    depth: usize,
    /// Whether it is within a loop.
    inside: bool,
    text: String,
}

/// The tree as text, two blanks for each level.
pub fn text(sources: &SourceMap, tree: &[Vertex]) -> String {
    let mut text = String::new();
    for line in lines(sources, tree) {
        let _ = writeln!(text, "{}{}", "  ".repeat(line.depth), line.text);
    }
    text
}

/// Pixels of a line, of a level, and of a character.
const HEIGHT: usize = 20;
const INDENT: usize = 22;
const CHARACTER: usize = 8;

/// The tree as an SVG document.
pub fn svg(sources: &SourceMap, tree: &[Vertex]) -> String {
    let lines = lines(sources, tree);
    let width =
        lines.iter().map(|l| (l.depth + 2) * INDENT + l.text.chars().count() * CHARACTER).max().unwrap_or(0);
    let height = (lines.len() + 1) * HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"backbone tree\">\n\
         <style>.ground{{fill:#ffffff}}.ink{{fill:#1f2328}}.line{{stroke:#8c959f;fill:none}}.loop{{fill:#ddf4ff}}\
         @media (prefers-color-scheme:dark){{.ground{{fill:#0d1117}}.ink{{fill:#e6edf3}}.line{{stroke:#6e7681}}.loop{{fill:#12314f}}}}\
         text{{font:13px ui-monospace,monospace}}</style>\n\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    // Where the line above on each level stands.
    let mut above: Vec<usize> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let (x, y) = (line.depth * INDENT + INDENT, (i + 1) * HEIGHT);
        above.truncate(line.depth);
        if let Some(&parent) = above.last() {
            let (from, middle) = (x - INDENT + 5, y - 5);
            let _ = writeln!(svg, "<path class=\"line\" d=\"M{from} {}V{middle}H{}\"/>", parent + 4, x - 4);
        }
        above.resize(line.depth, y);
        above.push(y);
        if line.inside {
            let wide = line.text.chars().count() * CHARACTER;
            let _ = writeln!(
                svg,
                "<rect class=\"loop\" x=\"{}\" y=\"{}\" width=\"{wide}\" height=\"{HEIGHT}\"/>",
                x - 2,
                y - 15
            );
        }
        let _ = writeln!(svg, "<text class=\"ink\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(&line.text));
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn lines(sources: &SourceMap, tree: &[Vertex]) -> Vec<Line> {
    let mut lines = Vec::new();
    // Pending vertices with their depth, the next one last: a backbone may be too long for recursion.
    let mut pending: Vec<(&Vertex, usize)> = tree.iter().rev().map(|v| (v, 0)).collect();
    while let Some((vertex, depth)) = pending.pop() {
        add(sources, vertex, depth, false, &mut lines);
        let target = if vertex.next.is_empty() && vertex.left_out == 0 { "target" } else { "" };
        if !target.is_empty() {
            lines.push(Line { depth: depth + 1, inside: false, text: target.to_owned() });
        }
        if vertex.left_out > 0 {
            let text = format!("… {} more ways are not shown", vertex.left_out);
            lines.push(Line { depth: depth + 1, inside: false, text });
        }
        // A tree without branches is not indented further and further.
        let below = depth + usize::from(vertex.next.len() > 1);
        pending.extend(vertex.next.iter().rev().map(|v| (v, below)));
    }
    lines
}

/// Adds a vertex without what comes behind it.
fn add(sources: &SourceMap, vertex: &Vertex, depth: usize, inside: bool, lines: &mut Vec<Line>) {
    let place = sources.describe(vertex.span);
    if let Some(around) = &vertex.around {
        add_loop(sources, &place, around, depth, lines);
    }
    let conditions =
        vertex.conditions.iter().map(|c| c.as_deref().unwrap_or("a condition too long to be shown"));
    let conditions: Vec<&str> = conditions.collect();
    if conditions.is_empty() && vertex.around.is_some() {
        return;
    }
    let text =
        if conditions.is_empty() { place } else { format!("{place}  if {}", conditions.join(" and ")) };
    lines.push(Line { depth, inside, text });
}

fn add_loop(sources: &SourceMap, place: &str, around: &Loop, depth: usize, lines: &mut Vec<Line>) {
    let lost = match (around.opaque, &around.carried[..]) {
        (true, _) => ", of which nothing is known but what it may change".to_owned(),
        (false, []) => String::new(),
        (false, names) => format!(", without a closed form for {}", names.join(", ")),
    };
    lines.push(Line { depth, inside: true, text: format!("loop at {place}{lost}") });
    for (counter, vertices) in &around.paths {
        lines.push(Line { depth: depth + 1, inside: true, text: format!("path taken {counter} times") });
        for vertex in vertices {
            add(sources, vertex, depth + 2, true, lines);
        }
    }
}
