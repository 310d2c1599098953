//! Cobertura's XML: packages of classes, of which each has lines and the name of its file.
//!
//! The name is relative to one of the sources that the report begins with. If there is one source only, it is put before the name;
//! otherwise the name is taken as it is, as the end of a path is enough to recognise a file.

use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions, TextPos};

use super::{Builder, CoverageReport, ReadError};

/// The most elements and texts of a report.
const MAX_NODES: u32 = 30_000_000;

/// Reads a report.
pub(super) fn read(text: &str) -> Result<CoverageReport, ReadError> {
    // Reports name their document type; that is not read.
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(text, options).map_err(|error| at(error.pos(), &error.to_string()))?;
    let root = document.root_element();
    if !root.has_tag_name("coverage") {
        let message =
            format!("`<{}>` is no report of Cobertura's; expected `<coverage>`", root.tag_name().name());
        return Err(at(document.text_pos_at(root.range().start), &message));
    }
    let sources: Vec<&str> = root
        .children()
        .filter(|node| node.has_tag_name("sources"))
        .flat_map(|node| node.children())
        .filter(|node| node.has_tag_name("source"))
        .filter_map(|node| node.text().map(str::trim))
        .collect();
    let mut builder = Builder::default();
    for class in root.descendants().filter(|node| node.has_tag_name("class")) {
        let place = |node: &Node, message: &str| at(document.text_pos_at(node.range().start), message);
        let name =
            class.attribute("filename").ok_or_else(|| place(&class, "this class has no `filename`"))?;
        let path = match sources.as_slice() {
            [source] => Path::new(source).join(name),
            _ => PathBuf::from(name),
        };
        builder.file(&path);
        let of_class = class.children().filter(|node| node.has_tag_name("lines"));
        for line in of_class.flat_map(|lines| lines.children()).filter(|node| node.has_tag_name("line")) {
            let number = |name: &str| -> Result<u64, ReadError> {
                let value = line.attribute(name).and_then(|value| value.trim().parse().ok());
                value.ok_or_else(|| place(&line, &format!("`{name}` of this line is no number")))
            };
            let (at_line, hits) = (number("number")?, number("hits")?);
            let at_line = u32::try_from(at_line).unwrap_or(u32::MAX);
            builder.line(&path, at_line, hits).map_err(|why| place(&line, &why))?;
        }
    }
    Ok(builder.report)
}

fn at(position: TextPos, message: &str) -> ReadError {
    // The place is said before the message.
    let message = message.split(" at ").next().unwrap_or_default().to_owned();
    ReadError::new(position.row as usize, position.col as usize, message)
}
