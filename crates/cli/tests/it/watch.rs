//! `footpath test --watch`: runs again when something changes, and ends when it is told to. It needs a clang.

use std::io::{BufRead, BufReader, Lines, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

use super::testing::{folder, write};

/// A run that goes on, and what it says of itself.
struct Watched {
    child: Child,
    lines: Lines<BufReader<ChildStderr>>,
}

impl Watched {
    fn start(folder: &Path, args: &[&str]) -> Watched {
        let mut command = Command::new(env!("CARGO_BIN_EXE_footpath"));
        command.args(["test", "a.c", "--watch"]).args(args).current_dir(folder);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("footpath starts");
        let lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        Watched { child, lines }
    }

    /// What is said until the run waits for changes.
    fn until_it_waits(&mut self) -> String {
        let mut said = String::new();
        for line in &mut self.lines {
            let line = line.expect("a line");
            said += &format!("{line}\n");
            if line.starts_with("watching ") {
                return said;
            }
        }
        panic!("it ended: {said}")
    }

    /// Ends it as Ctrl-C does. The exit code, and what all runs printed.
    fn interrupted(mut self) -> (Option<i32>, String) {
        let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", self.child.id())]).status();
        assert!(kill.is_ok_and(|s| s.success()), "the run is still going on");
        let mut printed = String::new();
        self.child.stdout.take().expect("it is piped").read_to_string(&mut printed).expect("text");
        (self.child.wait().expect("footpath ends").code(), printed)
    }
}

#[test]
fn a_changed_header_or_source_is_a_new_run_and_an_interrupt_keeps_the_last_exit_code() {
    let folder = folder("watch");
    write(&folder, "limit.h", "#define LIMIT 3\n");
    let source =
        "#include \"limit.h\"\nint above(int n) { return n > 3; }\nint limit(void) { return LIMIT; }\n";
    write(&folder, "a.c", source);
    let mut watched = Watched::start(&folder, &["--deny", "failing", "--strict", "--timeout", "30"]);
    watched.until_it_waits();
    write(&folder, "limit.h", "#define LIMIT (5 + 4)\n");
    assert!(watched.until_it_waits().contains("limit.h changed"));
    // What does not compile is told, and the run goes on; so it does with the failure that is there then.
    write(&folder, "a.c", "int above(int n) {\n");
    let said = watched.until_it_waits();
    assert!(said.contains("a.c changed") && said.contains("error: "), "{said}");
    write(&folder, "a.c", &source.replace("n > 3", "10 / n"));
    assert!(watched.until_it_waits().contains("denied: 1 failing"));
    let (code, printed) = watched.interrupted();
    assert_eq!(code, Some(1), "{printed}");
    assert_eq!(printed.matches("run the tests with").count(), 3, "{printed}");
    let mut watched = Watched::start(&folder, &[]);
    watched.until_it_waits();
    assert_eq!(watched.interrupted().0, Some(0));
}

#[test]
fn only_what_changed_is_analysed_again() {
    let folder = folder("watch-store");
    let source = "int above(int n) { return n > 3; }\nint below(int n) { return n < 3; }\n";
    write(&folder, "a.c", source);
    let mut watched = Watched::start(&folder, &[]);
    watched.until_it_waits();
    write(&folder, "a.c", &source.replace("n < 3", "n < 4"));
    watched.until_it_waits();
    let (code, printed) = watched.interrupted();
    assert_eq!(code, Some(0));
    assert!(printed.contains("the results of 1 of 2 functions are taken from the store"), "{printed}");
}
