//! What confined programs must be able to do, and what they cost.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{compile, folder};

fn confined(folder: &Path, options: &[&str], program: &Path) -> Command {
    let mut command = Command::new(folder.join("footpath-jail"));
    command.arg("__confine").args(options).arg("--").arg(program).stdin(Stdio::null());
    command
}

#[test]
fn sanitizers_find_failures_and_lost_memory() {
    let folder = folder("sanitizers");
    let text = "#include <stdlib.h>\n#include <sanitizer/lsan_interface.h>\nvoid *volatile p;\n\
        int main(int argc, char **argv) {\n    p = malloc(4);\n    p = 0;\n    __lsan_do_leak_check();\n    return 0;\n}\n";
    let program = compile(&folder, text, &["-g", "-fsanitize=address,undefined"]);
    let mut command = confined(&folder, &["--profile", "sanitized"], &program);
    let done = command.env("ASAN_OPTIONS", "detect_leaks=1:symbolize=0").output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("LeakSanitizer: detected memory leaks"), "{said} {:?}", done.status);
    let text = "int main(int argc, char **argv) {\n    int x[1];\n    return x[argc - 1] ? 3 : 4;\n}\n";
    let program = compile(&folder, text, &["-fsanitize=memory"]);
    let done = confined(&folder, &["--profile", "sanitized"], &program).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("use-of-uninitialized-value"), "{said} {:?}", done.status);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A program for 32 bits that needs no library. It says by its exit code what it could do: 1 if it is not told its own number,
/// 2 to signal its parent, 4 to open a file for writing, 8 to make a process, and 16 to signal its parent by a call of the
/// architecture with 64 bits, to which it jumps.
#[cfg(target_arch = "x86_64")]
const WITH_32_BITS: &str = "\
static long call(long number, long a, long b, long c)
{
    long answer;
    __asm__ volatile(\"int $0x80\" : \"=a\"(answer) : \"a\"(number), \"b\"(a), \"c\"(b), \"d\"(c) : \"memory\");
    return answer;
}
static long call_of_64_bits(long number, long a, long b)
{
    long answer;
    __asm__ volatile(
        \"ljmp $0x33, $1f\\n .code64\\n 1: syscall\\n pushq $0x23\\n pushq $2f\\n lretq\\n .code32\\n 2:\"
        : \"=a\"(answer) : \"a\"(number), \"D\"(a), \"S\"(b) : \"ecx\", \"memory\");
    return answer;
}
void _start(void)
{
    long parent = call(64, 0, 0, 0), done = 0;
    if (call(20, 0, 0, 0) <= 0 || call(37, call(20, 0, 0, 0), 0, 0) != 0)
        done |= 1;
    if (call(37, parent, 0, 0) == 0)
        done |= 2;
    if (call(5, (long)\"/dev/null\", 1, 0) >= 0)
        done |= 4;
    long child = call(2, 0, 0, 0);
    if (child == 0)
        call(1, 0, 0, 0);
    if (child > 0)
        done |= 8;
    if (call_of_64_bits(62, parent, 0) == 0)
        done |= 16;
    call(1, done, 0, 0);
    for (;;) ;
}
";

#[cfg(target_arch = "x86_64")]
#[test]
fn a_program_for_32_bits_does_not_leave_the_filter() {
    let folder = folder("32-bits");
    let flags = ["-m32", "-nostdlib", "-static", "-ffreestanding", "-fno-pic", "-fno-stack-protector", "-O1"];
    let program = compile(&folder, WITH_32_BITS, &flags);
    // A shell in between, which is attacked.
    let run = |launcher: &str| {
        let command = format!("{launcher} {}; exit $?", program.display());
        Command::new("sh").args(["-c", &command]).status().unwrap().code()
    };
    let free = run("");
    if free == Some(126) {
        // The kernel has no support for them at all.
        return;
    }
    assert_eq!(free, Some(2 + 4 + 8 + 16));
    let launcher = folder.join("footpath-jail").display().to_string();
    assert_eq!(run(&format!("{launcher} __confine --profile test --")), Some(0));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn threads_run_and_signals_to_itself_arrive() {
    let folder = folder("threads");
    let text = "#include <pthread.h>\n#include <signal.h>\n#include <stdlib.h>\n\
        static void *run(void *x) { *(int *)x += 1; return 0; }\n\
        int main(void) {\n    int x = 1;\n    pthread_t t;\n    signal(SIGUSR1, SIG_IGN);\n    raise(SIGUSR1);\n    \
        if (pthread_create(&t, 0, run, &x)) return 1;\n    pthread_join(t, 0);\n    if (x == 2) abort();\n    return 2;\n}\n";
    let program = compile(&folder, text, &["-pthread"]);
    let done = confined(&folder, &["--profile", "test"], &program).status().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&done), Some(6), "{done}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_process_ends_with_the_one_that_started_it() {
    for profile in ["test", "compiler"] {
        let folder = folder(profile);
        let text = "#include <unistd.h>\nint main(void) { write(1, \"up\", 2); for (;;) pause(); }\n";
        let program = compile(&folder, text, &[]);
        // A shell in between, which is killed; the reader sees the end of what all of them write to.
        let launcher = format!("{}/footpath-jail __confine --profile {profile} --", folder.display());
        let command = match profile {
            "test" => format!("{launcher} {}", program.display()),
            // A compiler has children, too.
            _ => format!("{launcher} sh -c '{} & wait'", program.display()),
        };
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{command}; true")).stdout(Stdio::piped());
        let mut shell = shell.spawn().unwrap();
        let mut output = shell.stdout.take().unwrap();
        let mut up = [0; 2];
        std::io::Read::read_exact(&mut output, &mut up).unwrap();
        shell.kill().unwrap();
        shell.wait().unwrap();
        let (sent, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let end = std::io::Read::read(&mut output, &mut [0; 8]);
            sent.send(end.unwrap())
        });
        assert_eq!(ended.recv_timeout(Duration::from_secs(20)), Ok(0), "a process lives on: {profile}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_compiler_that_takes_too_long_ends_with_its_children() {
    let started = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_footpath-jail"));
    let forever = "sleep 1000 & sleep 1000";
    command.args(["__confine", "--profile", "compiler", "--", "sh", "-c", forever]);
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    // The output ends when the last one has ended that could write to it.
    assert!(footpath_jail::output(&mut command, Duration::from_millis(300)).unwrap().is_none());
    assert!(started.elapsed() < Duration::from_secs(60));
}
