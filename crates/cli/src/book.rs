//! The book's page of flags, from the same table as `--help`.

use std::fmt::Write as _;

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, Command};

/// The page, as Markdown.
pub fn flags_page() -> String {
    let mut text = String::from(
        "<!-- Generated from crates/cli/src/args.rs by `cargo xtask gen`; edit there. -->\n\n# Commands and flags\n",
    );
    let mut root = crate::command();
    root.build();
    write_flags(&mut text, &root);
    for command in root.get_subcommands().filter(|c| c.get_name() != "help") {
        let _ = write!(text, "\n## `footpath {}`\n", command.get_name());
        let about = command.get_long_about().or_else(|| command.get_about());
        for paragraph in about.map(ToString::to_string).unwrap_or_default().split("\n\n") {
            let _ = write!(text, "\n{}\n", sentence(paragraph));
        }
        write_flags(&mut text, command);
        if let Some(examples) = command.get_after_help() {
            let _ = write!(text, "\n```text\n{}\n```\n", examples.to_string().trim_end());
        }
    }
    text
}

/// The flags in a table for each heading, in the order in which the headings first come.
fn write_flags(text: &mut String, command: &Command) {
    let shown = || command.get_arguments().filter(|a| !a.is_hide_set() && a.get_id() != "help");
    let mut headings: Vec<Option<&str>> = Vec::new();
    for arg in shown() {
        if !headings.contains(&arg.get_help_heading()) {
            headings.push(arg.get_help_heading());
        }
    }
    for heading in headings {
        if let Some(heading) = heading {
            let _ = write!(text, "\n### {heading}\n");
        }
        write_table(text, shown().filter(|a| a.get_help_heading() == heading));
    }
}

fn write_table<'a>(text: &mut String, args: impl Iterator<Item = &'a Arg>) {
    text.push_str("\n| flag | meaning | default |\n|---|---|---|\n");
    for arg in args {
        let values = arg.get_possible_values();
        let values: Vec<&PossibleValue> = if takes_value(arg) { values.iter().collect() } else { Vec::new() };
        let mut meaning = arg.get_help().map(ToString::to_string).unwrap_or_default();
        for value in values {
            let help = value.get_help().map(|h| format!(": {h}")).unwrap_or_default();
            let _ = write!(meaning, "<br>`{}`{help}", value.get_name());
        }
        let defaults: Vec<String> =
            arg.get_default_values().iter().map(|v| format!("`{}`", v.to_string_lossy())).collect();
        let default = if takes_value(arg) { defaults.join(", ") } else { String::new() };
        let _ = writeln!(text, "| {} | {} | {default} |", spelling(arg), meaning.replace('|', "\\|"));
    }
}

fn takes_value(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

fn spelling(arg: &Arg) -> String {
    let value = arg.get_value_names().filter(|_| takes_value(arg)).map(|names| names.join(" "));
    let value = value.unwrap_or_default();
    let mut forms = Vec::new();
    if let Some(short) = arg.get_short() {
        forms.push(format!("-{short}"));
    }
    if let Some(long) = arg.get_long() {
        forms.push(format!("--{long}"));
    }
    let flag = forms.join(", ");
    match (flag.is_empty(), value.is_empty()) {
        (true, _) if matches!(arg.get_action(), ArgAction::Append) => format!("`{value}…`"),
        (true, _) => format!("`{value}`"),
        (false, true) => format!("`{flag}`"),
        (false, false) => format!("`{flag} {value}`"),
    }
}

/// The text with a full stop at its end; clap's help texts have none.
fn sentence(text: &str) -> String {
    let text = text.trim_end();
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_names_every_flag_with_its_default() {
        let page = super::flags_page();
        assert!(page.contains("## `footpath cover`"), "{page}");
        assert!(
            page.contains("| `--unwind K` | The most iterations of each loop that are unwound | `4` |"),
            "{page}"
        );
        assert!(page.contains("<br>`query-optimal`: Each question covers"), "{page}");
        assert!(page.contains("| `-o, --output DIR` |"), "{page}");
        assert!(page.contains("| `FILE…` |"), "{page}");
        assert!(
            page.contains("### Limits\n\n| flag |") && page.contains("footpath cover search.bpl"),
            "{page}"
        );
        assert!(
            page.contains("| `--print` | Print the program as Footpath understands it, as .bpl |  |"),
            "{page}"
        );
    }
}
