//! Foreign code and foreign names: what a run on them must not do. It needs a clang and make.

use std::process::Command;

use super::testing::{check, folder, make, write};

#[test]
fn odd_names_run_nothing_and_break_nothing() {
    let folder = folder("odd-names");
    let names = [
        "a b.c",
        "$(touch x).c",
        "`touch x`.c",
        "a;touch x.c",
        "a'b.c",
        "a\"b.c",
        "#a:=b%.c",
        "a&b|c.c",
        "-n.c",
        "~a*[b]?.c",
        "a\\b.c",
        "é.c",
        "$a.c",
    ];
    let mut args: Vec<String> = Vec::new();
    for (i, name) in names.iter().enumerate() {
        write(&folder, name, &format!("int f{i}(int n) {{ if (n == {i}7) return 1; return 0; }}\n"));
        args.push(format!("./{name}"));
    }
    args.extend(["-o", "out", "--emit", "c,html,sarif,lcov,json"].map(str::to_owned));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    check(&folder, &args, 0, &["f0 ", "f12"]);
    let said = make(&folder);
    assert_eq!(
        said.matches("\nok ").count() + usize::from(said.starts_with("ok ")),
        2 * names.len(),
        "{said}"
    );
    for place in [folder.clone(), folder.join("out")] {
        assert!(!place.join("x").exists(), "a name was run in {}", place.display());
    }
}

#[test]
fn names_with_control_characters_are_refused_and_shown() {
    let folder = folder("control-characters");
    write(&folder, "a\u{1b}]0;owned\u{7}.c", "int f(int n) { return n; }\n");
    let output = check(
        &folder,
        &["a\u{1b}]0;owned\u{7}.c", "-o", "out"],
        2,
        &["neither C nor build files can express", "\\u{1b}"],
    );
    let said = [output.stdout, output.stderr].concat();
    assert!(!said.contains(&0x1b) && !said.contains(&7), "{}", String::from_utf8_lossy(&said));
}

#[test]
fn a_line_directive_shows_no_other_file() {
    let folder = folder("line-directive");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    for named in ["/proc/self/environ", "/dev/zero", "/etc/passwd", "pipe"] {
        write(&folder, "a.c", &format!("#line 1 \"{named}\"\nint f(int n) {{ return n == 7 ? 1 : 0; }}\n"));
        check(&folder, &["a.c", "-o", "out", "--emit", "c,html,json"], 0, &["f "]);
        for report in ["report.html", "report.json"] {
            let text = std::fs::read_to_string(folder.join("out").join(report)).expect("a report");
            assert!(!text.contains("PATH=") && !text.contains("root:x:0"), "{named} is in {report}");
        }
    }
}

#[test]
fn files_that_are_not_ours_are_not_replaced() {
    let folder = folder("not-ours");
    write(&folder, "a.c", "int f(int n) { return n == 7 ? 1 : 0; }\n");
    write(&folder, "Makefile", "all:\n");
    check(&folder, &["a.c", "-o", "."], 2, &["has files that Footpath has not made"]);
    check(&folder, &["a.c", "-o", "out", "--write-baseline", "Makefile"], 2, &["is not a baseline"]);
    assert_eq!(std::fs::read_to_string(folder.join("Makefile")).expect("the file"), "all:\n");
    check(&folder, &["a.c", "-o", "out"], 0, &[]);
    check(&folder, &["a.c", "-o", "out"], 0, &[]);
}

/// Code before `main` that attacks who started it. As one of the confinement's tests it would be refused; here it must
/// also not keep a run from telling what it found.
#[test]
fn a_constructor_does_no_harm() {
    let folder = folder("constructor");
    let attack = "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <signal.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n\
        __attribute__((constructor)) static void attack(void)\n{\n    syscall(SYS_kill, getppid(), SIGKILL);\n    \
        syscall(SYS_tkill, getppid(), SIGKILL);\n    syscall(SYS_openat, AT_FDCWD, \"/tmp/footpath-was-here\", O_CREAT | O_WRONLY, 0600);\n}\n\
        int f(int n) { return n == 7 ? 1 : 0; }\n";
    write(&folder, "a.c", attack);
    check(&folder, &["a.c", "-o", "out", "--function", "f"], 0, &["f "]);
    assert!(!std::path::Path::new("/tmp/footpath-was-here").exists());
}

/// As documented: a library that is named with its folder.
#[test]
fn functions_of_a_shared_library_are_sampled() {
    let folder = folder("sampled-library");
    write(&folder, "prime.c", "int next_prime(int n) { return n == 24 ? 29 : n + 1; }\n");
    let built = Command::new("clang")
        .args(["-shared", "-fPIC", "prime.c", "-o", "libprime.so"])
        .current_dir(&folder)
        .status();
    assert!(built.expect("clang starts").success());
    write(
        &folder,
        "a.c",
        "int next_prime(int n);\nint f(int n) { return next_prime(n) == 29 && n < 28 ? 1 : 0; }\n",
    );
    let args = ["a.c", "-o", "out", "--sample=next_prime", "--", "-L.", "-lprime"];
    let output = check(&folder, &args, 0, &["f "]);
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("not sampled") && !said.contains("unknown["), "{said}");
}

/// A folder of results may come with the project: what lies in it must not lead elsewhere, nor be waited for.
#[test]
fn links_and_pipes_in_the_folder_of_results_are_not_followed() {
    let folder = folder("links");
    write(&folder, "a.c", "int f(int n) { return n == 7 ? 1 : 0; }\n");
    check(&folder, &["a.c", "-o", "out"], 0, &[]);
    std::fs::create_dir(folder.join("elsewhere")).expect("a folder");
    let kept = ["report.json", "Makefile", "test_a.c", "footpath_test.h", "report.html", "old.c"];
    for name in kept {
        write(&folder, &format!("elsewhere/{name}"), "kept");
        let link = folder.join("out").join(name);
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(folder.join("elsewhere").join(name), link).expect("a link");
    }
    std::os::unix::fs::symlink("/dev/zero", folder.join("out/endless.c")).expect("a link");
    assert!(Command::new("mkfifo").arg(folder.join("out/pipe.c")).status().expect("mkfifo starts").success());
    check(&folder, &["a.c", "-o", "out", "--emit", "c,html,json"], 0, &["f "]);
    for name in kept {
        let text = std::fs::read_to_string(folder.join("elsewhere").join(name)).expect("the file");
        assert_eq!(text, "kept", "{name}");
    }
    assert!(!std::fs::symlink_metadata(folder.join("out/test_a.c")).expect("the tests").is_symlink());
    // The folder itself, and one in it.
    std::os::unix::fs::symlink(folder.join("elsewhere"), folder.join("link")).expect("a link");
    check(&folder, &["a.c", "-o", "link"], 2, &["link is a symbolic link"]);
    std::os::unix::fs::symlink(folder.join("elsewhere"), folder.join("out/test-suite")).expect("a link");
    write(&folder, "elsewhere/testcase-1.xml", "kept");
    write(&folder, "main.c", "int main(void) { return 0; }\n");
    let args = ["main.c", "-o", "out", "--entry", "main", "--emit", "testcomp"];
    check(&folder, &args, 2, &["out/test-suite is a symbolic link"]);
    assert!(folder.join("elsewhere/testcase-1.xml").is_file());
}

/// The code that is tested can write what a test says of its result, which ends in the source of the test.
#[cfg(target_arch = "x86_64")]
#[test]
fn a_forged_result_is_not_taken_for_code() {
    let folder = folder("forged");
    let forger = "__attribute__((constructor)) static void forge(void)\n{\n    \
        static const char text[] = \"returned\\n0x1p0); system(\\\"touch owned\\\"\\n\";\n    \
        for (long file = 3; file < 64; file++) {\n        long number = 1;\n        \
        __asm__ volatile(\"syscall\" : \"+a\"(number) : \"D\"(file), \"S\"(text), \"d\"(sizeof text - 1) : \"rcx\", \"r11\", \"memory\");\n    \
        }\n}\ndouble f(int n) { return n == 7 ? 1 : 0; }\n";
    write(&folder, "a.c", forger);
    check(&folder, &["a.c", "-o", "out", "--function", "f"], 0, &["f "]);
    let tests = std::fs::read_to_string(folder.join("out/test_a.c")).expect("tests");
    assert!(!tests.contains("touch owned") && !tests.contains("0x1p0"), "{tests}");
    // Of its result nothing is known, so the test expects none.
    assert!(tests.contains("FOOTPATH_SHOW_FLOAT"), "{tests}");
}
