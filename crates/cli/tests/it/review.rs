//! The scripts that continuous integration and pre-commit run, on a repository with a change. They need git and a clang.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::testing::{folder, write};

/// `f` fails for zero.
const BEFORE: &str = "\
int f(int n)
{
    return 10 / n;
}

int g(int n)
{
    if (n == 0)
        return 0;
    return 10 / n;
}
";
/// What makes `g` fail, too.
const BREAKS: (&str, &str) = ("n == 0", "n == 1");
/// What changes `f` and leaves it as it is.
const KEEPS: (&str, &str) =
    ("int f(int n)\n{\n", "int f(int n)\n{\n    static int calls;\n\n    calls = n;\n");
const ARGS: &str = "a.c --strict --timeout 20";

fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(BEFORE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from));
        text.replacen(from, to, 1)
    })
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts").join(name)
}

fn git(folder: &Path, args: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=A", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"]);
    let output = git.args(args).current_dir(folder).output().expect("git starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository in which `lib/a.c` has changed since the tag `base`, in commits if `is_committed`.
fn repository(name: &str, after: &str, is_committed: bool) -> PathBuf {
    let folder = folder(name);
    std::fs::create_dir_all(folder.join("lib")).expect("a folder can be made");
    write(&folder, "lib/a.c", BEFORE);
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-q", "-m", "Begin"]);
    git(&folder, &["tag", "base"]);
    write(&folder, "lib/a.c", after);
    if is_committed {
        git(&folder, &["commit", "-q", "-a", "-m", "Change"]);
    }
    folder.join("lib")
}

/// Runs a script there; its exit code, and what it said.
fn run(name: &str, folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(script(name));
    command.args(args).current_dir(folder).env("FOOTPATH", env!("CARGO_BIN_EXE_footpath"));
    let output = command.envs(variables.iter().copied()).output().expect("the script starts");
    let all = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&all).into_owned())
}

fn report(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("footpath-out/report.md")).expect("a report")
}

/// What is new is `g`, although `f` changed and fails, too.
fn check_report(folder: &Path) {
    let text = report(folder);
    assert!(text.starts_with("### Footpath: 1 failure to act on\n"), "{text}");
    assert!(text.contains("in `g`: ") && text.contains("1 finding known before"), "{text}");
}

#[test]
fn a_review_tells_what_a_change_breaks_and_not_what_was_broken() {
    let folder = repository("review", &changed(&[BREAKS, KEEPS]), true);
    let args: Vec<&str> =
        ["--base", "base", "--summary", "summary.md", "--"].into_iter().chain(ARGS.split(' ')).collect();
    let (code, said) = run("review", &folder, &args, &[]);
    assert_eq!(code, Some(1), "{said}");
    check_report(&folder);
    assert_eq!(std::fs::read_to_string(folder.join("summary.md")).expect("a summary"), report(&folder));
    let worktrees = Command::new("git").args(["worktree", "list"]).current_dir(&folder).output();
    let worktrees = worktrees.expect("git starts").stdout;
    assert_eq!(String::from_utf8_lossy(&worktrees).lines().count(), 1, "the checkout of the base stays");
    // A change that breaks nothing, seen after what has to be prepared.
    let folder = repository("review-clean", &changed(&[KEEPS]), true);
    let args: Vec<&str> =
        ["--base", "base", "--prepare", "touch prepared", "--"].into_iter().chain(ARGS.split(' ')).collect();
    let (code, said) = run("review", &folder, &args, &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(folder.join("prepared").is_file());
    assert!(report(&folder).starts_with("### Footpath: nothing to act on\n"), "{}", report(&folder));
    for args in [&["--bas", "base"][..], &["--base"], &[]] {
        assert_eq!(run("review", &folder, args, &[]).0, Some(2), "{args:?}");
    }
}

#[test]
fn a_commit_that_breaks_something_is_stopped() {
    let folder = repository("review-staged", &changed(&[BREAKS, KEEPS]), false);
    let args: Vec<&str> = ARGS.split(' ').collect();
    let (code, said) = run("pre-commit", &folder, &args, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("fails[division]") && said.contains("1 finding in the baseline"), "{said}");
    assert!(!folder.join("footpath-out").exists(), "a commit leaves files behind");
    assert_eq!(run("pre-commit", &folder, &[], &[]).0, Some(0), "no C file is in the commit");
}

#[test]
fn a_step_on_github_ends_well_and_has_the_exit_code_as_an_output() {
    let folder = repository("review-github", &changed(&[BREAKS, KEEPS]), true);
    let path = |name: &str| folder.join(name).display().to_string();
    let (summary, output) = (path("summary.md"), path("output.txt"));
    let arguments = format!("{ARGS} -- '-DSUM=1 + 2'");
    let variables = [
        ("ARGUMENTS", arguments.as_str()),
        ("BASE", "base"),
        ("DENY", "failing,infeasible"),
        ("OUTPUT", "footpath-out"),
        ("GITHUB_STEP_SUMMARY", &summary),
        ("GITHUB_OUTPUT", &output),
    ];
    let (code, said) = run("review-on-github", &folder, &[], &variables);
    assert_eq!(code, Some(0), "{said}");
    let output = std::fs::read_to_string(&output).expect("outputs");
    assert_eq!(output, "exit-code=1\nhas-report=true\n", "{said}");
    check_report(&folder);
    assert_eq!(std::fs::read_to_string(&summary).expect("a summary"), report(&folder));
    // What the action names is there.
    let action = std::fs::read_to_string(script("../action.yml")).expect("an action");
    for name in ["setup", "review-on-github"] {
        assert!(action.contains(&format!("/scripts/{name}\"")) && script(name).is_file(), "{name}");
    }
    let inputs = action.split("inputs.").skip(1).map(|rest| {
        rest.split(|c: char| !c.is_ascii_lowercase() && c != '-').next().unwrap_or_default().to_owned()
    });
    for input in inputs {
        assert!(action.contains(&format!("\n  {input}:\n")), "there is no input {input}");
    }
}

#[test]
fn the_commands_of_the_job_on_gitlab_review_a_merge_request() {
    let folder = repository("review-gitlab", &changed(&[BREAKS, KEEPS]), true);
    let job = std::fs::read_to_string(script("../integrations/gitlab.yml")).expect("a template");
    let (_, commands) = job.split_once("\n  script:\n").expect("commands");
    let commands = commands.lines().map_while(|line| line.strip_prefix("    - "));
    let commands: Vec<&str> = commands.collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    let programs = folder.join("programs");
    std::fs::create_dir_all(&programs).expect("a folder can be made");
    std::os::unix::fs::symlink(script("review"), programs.join("footpath-review")).expect("a link");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_footpath"), programs.join("footpath")).expect("a link");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &commands.join("\n")]).current_dir(&folder).env("PATH", path);
    shell.env("FOOTPATH_ARGUMENTS", ARGS).env("FOOTPATH_PREPARE", "true");
    shell.env("FOOTPATH_DENY", "failing,infeasible").env("CI_MERGE_REQUEST_DIFF_BASE_SHA", "base");
    let output = shell.output().expect("the shell starts");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    check_report(&folder);
}
