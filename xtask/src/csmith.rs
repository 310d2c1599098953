//! Compares the C front end with native runs, on random programs that csmith writes.
//!
//! Csmith (Yang, Chen, Eide, Regehr: Finding and Understanding Bugs in C Compilers, PLDI 2011) writes programs without
//! undefined behaviour that end with a checksum over their variables. Each is compiled and run natively, and lowered
//! and run by the reference interpreter (`crates/frontend/examples/run_main.rs`). The two checksums must be the same,
//! no function may be left out, and no check may fail: each of these is a finding.
//!
//! With `--commands`, `footpath test` is asked about the programs besides, and what it says is compared with a native run by
//! `crates/testkit/src/native_runs.rs`: lines that run can be reached, no check fails, and the checksum is what it is.
//!
//! `volatile` is left out when programs are compiled, as reads of volatile variables are inputs for us.

use crate::Outcome;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const USAGE: &str = "\
usage: cargo xtask csmith [OPTION]…

Writes random C programs with csmith, and runs each natively and by the reference interpreter.

  --count N       how many programs (default: 100)
  --seed S        the seed of the first one; the others follow (default: 1)
  --commands      instead of interpreting the programs, ask `footpath test` about them
  --steps N       how long a run of the interpreter may be (default: 1000000)
  --csmith FLAGS  flags for csmith, instead of a few sets in turn
  --clang NAME    the compiler (default: clang)
  --flags FLAGS   flags for the compiler, for lowering, such as -O1; those that begin with -m for both runs. Of
                  optimised text checks of overflow are not the source's
  --into DIR      where findings are kept (default: target/csmith)

Needs csmith and its headers: apt-get install csmith libcsmith-dev. Exit code 1 if anything was found.
";

/// The main program around a program of csmith.
const PROGRAM: &str = include_str!("csmith/program.c");

/// Flags for the compiler.
const FLAGS: [&str; 2] = ["-I/usr/include/csmith", "-Dvolatile="];

/// Flags for csmith, tried in turn. Its built-in functions are left out: it calls some of them with undefined results.
const VARIANTS: &[&str] = &[
    "--max-funcs 3 --max-block-depth 3",
    "--max-funcs 5 --float --max-block-depth 3",
    "--max-funcs 4 --max-struct-fields 6 --max-array-dim 2 --no-arrays",
    "--max-funcs 4 --max-pointer-depth 3 --no-bitfields",
    "--max-funcs 4 --no-packed-struct --no-longlong --max-union-fields 4",
    "--max-funcs 6 --no-pointers --float --no-unions",
];

#[derive(Debug, PartialEq, Eq)]
struct Options {
    count: u64,
    seed: u64,
    commands: bool,
    steps: u64,
    csmith: Option<String>,
    clang: String,
    flags: String,
    into: Option<PathBuf>,
}

/// What became of a program.
#[derive(Debug, PartialEq, Eq)]
enum Compared {
    /// Both runs gave the same checksum, and no check failed.
    Same,
    /// Csmith wrote nothing, or the native run took too long, for this reason.
    Skipped(&'static str),
    /// What differs.
    Differs(String),
}

/// Compares, and prints what was found.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    if args.iter().any(|arg| matches!(*arg, "--help" | "-h")) {
        print!("{USAGE}");
        return Ok(true);
    }
    let options = parse(args)?;
    let folder = options.into.clone().unwrap_or_else(|| root.join("target/csmith"));
    if options.commands {
        return ask_commands(root, &options, &folder.join("commands"));
    }
    let interpreter = build_interpreter(root)?;
    let (mut same, mut skipped, mut found) = (0, 0, 0);
    for seed in options.seed..options.seed.saturating_add(options.count) {
        let place = folder.join(seed.to_string());
        std::fs::create_dir_all(&place)
            .map_err(|error| format!("cannot create {}: {error}", place.display()))?;
        let compared = compare(&options, seed, &place, &interpreter)?;
        if !matches!(compared, Compared::Differs(_)) {
            _ = std::fs::remove_dir_all(&place);
        }
        match compared {
            Compared::Same => same += 1,
            Compared::Skipped(_) => skipped += 1,
            Compared::Differs(how) => {
                found += 1;
                println!("seed {seed} ({}): {how}", place.display());
            }
        }
    }
    println!("{same} programs run the same, {found} differ, {skipped} were too long or not written");
    Ok(found == 0)
}

fn parse(args: &[&str]) -> Result<Options, String> {
    let mut options = Options {
        count: 100,
        seed: 1,
        commands: false,
        steps: 1_000_000,
        csmith: None,
        clang: "clang".to_owned(),
        flags: String::new(),
        into: None,
    };
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        if arg == "--commands" {
            options.commands = true;
            continue;
        }
        let value = args.next().copied().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"));
        let number =
            |text: &str| text.parse().map_err(|_| format!("{arg} wants a number, not {text}\n\n{USAGE}"));
        match arg {
            "--count" => options.count = number(value?)?,
            "--seed" => options.seed = number(value?)?,
            "--steps" => options.steps = number(value?)?,
            "--csmith" => options.csmith = Some(value?.to_owned()),
            "--clang" => options.clang = value?.to_owned(),
            "--flags" => options.flags = value?.to_owned(),
            "--into" => options.into = Some(value?.into()),
            _ => return Err(format!("unknown option: {arg}\n\n{USAGE}")),
        }
    }
    Ok(options)
}

fn build_interpreter(root: &Path) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["build", "--release", "--quiet", "-p", "footpath-frontend", "--example", "run_main"];
    let status = Command::new(cargo).args(arguments).current_dir(root).status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("the interpreter cannot be built".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(root.join(target).join("release/examples/run_main"))
}

/// Writes `program.c`; whether csmith did.
fn generate(options: &Options, seed: u64, place: &Path) -> Result<bool, String> {
    let variant = VARIANTS[(seed % VARIANTS.len() as u64) as usize];
    let flags = options.csmith.as_deref().unwrap_or(variant);
    let mut csmith = limited(20, "csmith");
    csmith.args(["--seed", &seed.to_string(), "--no-argc", "-o", "program.c"]).args(flags.split_whitespace());
    Ok(output(&mut csmith, place)?.is_some())
}

/// Writes programs that call `abort` unless their checksum is that of the native run, and compares what is said of them.
fn ask_commands(root: &Path, options: &Options, folder: &Path) -> Outcome {
    _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    let read = |name: &Path| std::fs::read_to_string(name).map_err(|e| format!("{}: {e}", name.display()));
    let write =
        |name: &Path, text: &str| std::fs::write(name, text).map_err(|e| format!("{}: {e}", name.display()));
    for seed in options.seed..options.seed.saturating_add(options.count) {
        if !generate(options, seed, folder)? {
            continue;
        }
        let program = folder.join("program.c");
        let text = read(&program)?;
        let ending = |end: &str| with_checksum(&text, end);
        write(&program, &ending("__builtin_printf(\"%u\", footpath_checksum);"))?;
        let mut compile = Command::new(&options.clang);
        compile.args(["-O0", "-w", "program.c", "-o", "native"]).args(FLAGS);
        let checksum = match output(&mut compile, folder)? {
            Some(_) => output(&mut limited(5, "./native"), folder)?,
            None => {
                return Err(format!(
                    "{} cannot compile what csmith wrote; is libcsmith-dev installed?",
                    options.clang
                ));
            }
        };
        if let Some(checksum) = checksum {
            let end = format!("if (footpath_checksum != {checksum}u)\n        abort();");
            write(&folder.join(format!("{seed:09}.c")), &ending(&end))?;
        }
        _ = std::fs::remove_file(&program);
    }
    let flags = [&FLAGS.join(" "), options.flags.as_str()].join(" ");
    crate::verdicts::compare(root, folder, "0", &options.count.to_string(), &flags)
}

/// A program of csmith as a function whose checksum `main` looks at in the end.
fn with_checksum(program: &str, end: &str) -> String {
    let declared = "#include \"csmith.h\"\nstatic unsigned footpath_checksum;\n\
                    #define platform_main_end(crc, flag) (footpath_checksum = (unsigned)(crc))\n";
    let program = program.replacen("#include \"csmith.h\"\n", declared, 1);
    let program = program.replacen("int main (", "static int csmith_main(", 1);
    format!(
        "#include <stdlib.h>\n{program}\nint main(void)\n{{\n    csmith_main();\n    {end}\n    return 0;\n}}\n"
    )
}

/// Writes a program, and runs it in both ways.
fn compare(options: &Options, seed: u64, place: &Path, interpreter: &Path) -> Result<Compared, String> {
    if !generate(options, seed, place)? {
        return Ok(Compared::Skipped("csmith wrote nothing"));
    }
    let write = |name: &str, text: &str| {
        std::fs::write(place.join(name), text).map_err(|error| format!("cannot write {name}: {error}"))
    };
    write("main.c", PROGRAM)?;
    let common = [&FLAGS[..], &["-DPROGRAM=\"program.c\"", "-w"]].concat();
    let machine = options.flags.split_whitespace().filter(|flag| flag.starts_with("-m"));
    let mut compile = Command::new(&options.clang);
    compile.args(["-O0", "-DNATIVE", "main.c", "-o", "native"]).args(&common).args(machine);
    let Some(_) = output(&mut compile, place)? else {
        return Err(format!(
            "{} cannot compile what csmith wrote; is libcsmith-dev installed?",
            options.clang
        ));
    };
    let Some(native) = output(&mut limited(5, "./native"), place)? else {
        return Ok(Compared::Skipped("the native run takes too long"));
    };
    let mut run = limited(300, &interpreter.display().to_string());
    run.args(["--clang", &options.clang, "--steps", &options.steps.to_string(), "main.c"]);
    run.args(common).args(options.flags.split_whitespace());
    let Some(lowered) = output(&mut run, place)? else {
        return Ok(Compared::Differs("the interpreter takes too long or ends in an unusual way".to_owned()));
    };
    Ok(judge(native.trim(), lowered.trim()))
}

/// A command that is ended after so many seconds.
fn limited(seconds: u32, program: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args([&seconds.to_string(), program]);
    command
}

/// What a command prints; `None` if it fails.
fn output(command: &mut Command, place: &Path) -> Result<Option<String>, String> {
    let output = command
        .current_dir(place)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run {}: {error}", command.get_program().display()))?;
    Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Compares what both runs said: the checksum, and lines about what happened.
fn judge(native: &str, lowered: &str) -> Compared {
    match lowered {
        "ended: OutOfSteps" => Compared::Skipped("the run of the interpreter takes too many steps"),
        _ if lowered == format!("returned: {native}") => Compared::Same,
        _ => Compared::Differs(format!("native {native}; {}", lowered.replace('\n', "; "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_mistakes_are_named() {
        let options = parse(&["--count", "5", "--seed", "9", "--flags", "-m32"]).unwrap();
        assert_eq!((options.count, options.seed, &*options.flags), (5, 9, "-m32"));
        assert!(!options.commands && parse(&["--commands", "--count", "5"]).unwrap().commands);
        assert!(parse(&["--count"]).unwrap_err().starts_with("--count wants a value"));
        assert!(parse(&["--count", "x"]).unwrap_err().starts_with("--count wants a number"));
        assert!(parse(&["--x", "1"]).unwrap_err().starts_with("unknown option"));
    }

    #[test]
    fn a_program_looks_at_its_checksum_in_the_end() {
        let program =
            "#include \"csmith.h\"\nint x;\nint main (void)\n{\n platform_main_end(crc32_context, 0);\n}\n";
        let text = with_checksum(program, "if (footpath_checksum != 7u)\n        abort();");
        assert!(text.contains("static int csmith_main(void)"));
        assert!(text.ends_with("int main(void)\n{\n    csmith_main();\n    if (footpath_checksum != 7u)\n        abort();\n    return 0;\n}\n"));
    }

    #[test]
    fn only_the_same_checksum_without_a_remark_is_the_same() {
        assert_eq!(judge("7", "returned: 7"), Compared::Same);
        assert!(matches!(judge("7", "returned: 8"), Compared::Differs(_)));
        assert!(matches!(judge("7", "check: overflow at f\nreturned: 7"), Compared::Differs(_)));
        assert!(matches!(judge("7", "ended: OutOfSteps"), Compared::Skipped(_)));
    }
}
