//! Shell completions and manual pages, made by `clap_complete` and `clap_mangen` from the flags of the command line.

use super::Generated;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

/// Completions for three shells, under the names by which the shells look for them.
pub(super) fn completions() -> Vec<Generated> {
    let of = |shell: Shell, file: &str| {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut footpath_cli::command(), "footpath", &mut text);
        Generated::new(&format!("completions/{file}"), String::from_utf8_lossy(&text).into_owned())
    };
    vec![of(Shell::Bash, "footpath.bash"), of(Shell::Zsh, "_footpath"), of(Shell::Fish, "footpath.fish")]
}

/// A page for the program and one for each of its commands.
pub(super) fn manual_pages() -> Vec<Generated> {
    let mut root = footpath_cli::command().disable_help_subcommand(true);
    root.build();
    let commands: Vec<Command> = root.get_subcommands().cloned().collect();
    std::iter::once(root).chain(commands).map(page).collect()
}

fn page(command: Command) -> Generated {
    let page = Man::new(command).source(concat!("footpath ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text).expect("memory can be written to");
    Generated::new(&format!("man/{}", page.get_filename()), String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_completions_for_three_shells_and_a_page_for_each_command() {
        for file in completions() {
            for word in ["compile-commands", "may-must", "explore"] {
                assert!(file.text.contains(word), "{word} is missing in {}", file.path);
            }
        }
        let pages = manual_pages();
        let names: Vec<&str> = pages.iter().map(|page| page.path.as_str()).collect();
        for name in ["man/footpath.1", "man/footpath-test.1", "man/footpath-reach.1"] {
            assert!(names.contains(&name), "{name} is missing in {names:?}");
        }
        let test = pages.iter().find(|page| page.path == "man/footpath-test.1").expect("a page");
        assert!(test.text.contains("compile\\-commands") && test.text.contains("Examples"), "{}", test.text);
    }
}
