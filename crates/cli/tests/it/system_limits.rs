//! What the system refuses, such as space on the disk, memory and folders: exit code 2 with the reason, and nothing half
//! written. And what is left of a run that was killed: nothing that runs. It needs a clang.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::testing::{folder, write};

const C: &str = "int f(int n) { return n == 7 ? 1 : 0; }\n";
const BOOGIE: &str = "procedure P(x: int) returns (r: int)\n{\n  if (x > 7) { r := 1; } else { r := 0; }\n  assert r >= 0;\n}\n";

/// Runs `footpath` below a shell that sets limits first.
fn limited(folder: &Path, limits: &str, args: &[&str]) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{limits}\nexec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_footpath")]).args(args);
    shell.current_dir(folder).output().expect("a shell starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file"));
    let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn what_cannot_be_written_is_told_and_leaves_nothing() {
    let folder = folder("cannot-be-written");
    write(&folder, "a.c", C);
    write(&folder, "a.bpl", BOOGIE);
    write(&folder, "kept", "");
    let before = names(&folder);
    // A file is in the way, no folder is there, and a device that is always full.
    for place in ["a.c/x", "none/x", "/dev/full"] {
        for flag in ["-o", "--sarif", "--html"] {
            let output = limited(&folder, "", &["verify", "a.bpl", flag, place]);
            let expected = format!("error: {place} cannot be written: ");
            assert_eq!(output.status.code(), Some(2), "{flag} {place}: {}", said(&output));
            assert!(said(&output).contains(&expected), "{flag} {place}: {}", said(&output));
        }
    }
    for command in [
        &["test", "a.c", "-o", "a.c/x"][..],
        &["test", "a.c", "-o", "/dev/full"],
        &["cover", "a.bpl", "-o", "a.c/x"],
        &["failures", "a.c", "-o", "a.c/x"],
        &["reach", "a.c", "--target", "a.c:1", "-o", "a.c/x"],
    ] {
        let output = limited(&folder, "", command);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {}", said(&output));
        let place = command[command.len() - 1];
        assert!(said(&output).contains(place), "{command:?}: {}", said(&output));
    }
    for command in [&["cover", "a.bpl"][..], &["cover", "a.bpl", "--format", "json"], &["--help"]] {
        let output = limited(&folder, "exec > /dev/full", command);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {}", said(&output));
        assert!(said(&output).contains("error: standard output cannot be written: "), "{}", said(&output));
    }
    assert_eq!(names(&folder), before);
}

/// A limit on the size of files is as good as a full disk, and needs no rights.
#[test]
fn a_file_that_is_cut_short_does_not_appear() {
    let folder = folder("cut-short");
    write(&folder, "a.bpl", &BOOGIE.replace("r >= 0", &["r >= 0"; 200].join(" && ")));
    write(&folder, "page.html", "old");
    let before = names(&folder);
    let output = limited(&folder, "ulimit -f 1", &["verify", "a.bpl", "--html", "page.html"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("page.html cannot be written: File too large"), "{}", said(&output));
    assert_eq!(std::fs::read_to_string(folder.join("page.html")).expect("the file"), "old");
    assert_eq!(names(&folder), before);
}

#[test]
fn without_memory_a_run_ends_with_the_reason() {
    let folder = folder("without-memory");
    write(&folder, "a.c", C);
    write(&folder, "a.bpl", BOOGIE);
    let mut ended_early = 0;
    // Less is not enough for the system to start the program.
    for kilobytes in [90_000, 130_000, 180_000, 260_000, 400_000] {
        for command in [
            &["test", "a.c", "-o", "out"][..],
            &["failures", "a.c"],
            &["cover", "a.bpl"],
            &["verify", "a.bpl"],
        ] {
            let output = limited(&folder, &format!("ulimit -v {kilobytes}"), command);
            let told = said(&output);
            match output.status.code() {
                Some(0) => {}
                Some(2) => {
                    ended_early += 1;
                    assert!(told.contains("error"), "{kilobytes} {command:?}: {told}");
                    assert!(!told.contains("install one"), "{kilobytes} {command:?}: {told}");
                }
                other => panic!("{kilobytes} {command:?} ended with {other:?}: {told}"),
            }
        }
    }
    assert!(ended_early > 0, "these limits are none");
}

#[test]
fn a_limit_on_memory_ends_a_run_with_what_was_found() {
    let folder = folder("memory-limit");
    write(&folder, "a.c", LONG);
    write(&folder, "b.c", C);
    let output = limited(&folder, "", &["test", "a.c", "--timeout", "60", "--memory", "20M", "-o", "out"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("out of memory (--memory limits it to 20 MiB)"), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("the run was interrupted"), "{output:?}");
    for (size, code) in [("0", 0), ("2G", 0), ("1.5G", 2), ("20T", 2), ("18446744073709551615K", 2)] {
        let output = limited(&folder, "", &["test", "b.c", "--memory", size, "-o", "out"]);
        assert_eq!(output.status.code(), Some(code), "{size}: {}", said(&output));
    }
}

/// The processes that have a text in their command line or their working folder.
fn alive(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("the processes").flatten() {
        if !entry.file_name().to_string_lossy().bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        let place = std::fs::read_link(entry.path().join("cwd")).unwrap_or_default();
        // One that has ended has neither.
        if command.contains(mark) || place.to_string_lossy().contains(mark) {
            found.push(format!("{} {command}", entry.file_name().display()));
        }
    }
    found
}

/// What takes a while in a compiler, in a search, and in tests, one of which does not end.
const LONG: &str = "\
unsigned g(unsigned n) { unsigned s = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; s++; } return s; }
int f(unsigned n) { if (n == 0) for (;;) ; return g(n % 1000 + 1) == 111 ? 1 : 0; }
";

#[test]
fn a_run_that_is_killed_leaves_no_process_and_the_next_one_no_folder() {
    let folder = folder("killed-at-any-moment");
    write(&folder, "a.c", LONG);
    let scratch = folder.join("scratch");
    std::fs::create_dir(&scratch).expect("a folder can be made");
    let mark = folder.display().to_string();
    let run = |out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_footpath"));
        command
            .args(["test", "a.c", "--timeout", "10", "-o", out])
            .current_dir(&folder)
            .env("TMPDIR", &scratch);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let mut moments = fastrand::Rng::with_seed(7);
    for number in 0..6 {
        let mut killed = run("killed").spawn().expect("footpath starts");
        std::thread::sleep(Duration::from_millis(moments.u64(..3000)));
        killed.kill().expect("it can be killed");
        killed.wait().expect("it has ended");
        let since = Instant::now();
        while !alive(&mark).is_empty() {
            assert!(since.elapsed() < Duration::from_secs(2), "{number}: {:#?}", alive(&mark));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    assert!(run("out").status().expect("footpath starts").success());
    assert_eq!(names(&scratch), [""; 0], "something was left");
}
