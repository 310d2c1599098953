//! Flags for the compiler: which of the user's are for what.
//!
//! What a source means hangs on some of them (macros, folders, the language, the machine); the rest says how *his* build
//! goes on. Flags that name folders or files relative to where he stood are made absolute, as tests are built elsewhere.

use std::path::Path;

/// The flags of the compiler that name a folder or file, in front of it or as the argument before it.
const PATH_FLAGS: [&str; 8] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-L", "-I", "-F"];

/// The flags with relative paths made absolute.
pub fn absolute_flags(flags: &[String], folder: &Path) -> Vec<String> {
    let absolute = |path: &str| folder.join(path).display().to_string();
    let mut next_is_path = false;
    let mut out = Vec::new();
    for flag in flags {
        let attached = PATH_FLAGS.iter().find_map(|p| flag.strip_prefix(p).map(|rest| (p, rest)));
        out.push(match attached {
            _ if next_is_path || is_binary(flag) => absolute(flag),
            Some((prefix, rest)) if !rest.is_empty() => format!("{prefix}{}", absolute(rest)),
            _ => flag.clone(),
        });
        next_is_path = !next_is_path && matches!(attached, Some((_, "")));
    }
    out
}

/// The flags without those that say how a build goes on: what it complains of, optimises, instruments and writes, and how it
/// links. Libraries stay.
pub fn source_flags(flags: &[String]) -> Vec<String> {
    const WITH_ARGUMENT: [&str; 5] = ["-o", "-MF", "-MT", "-MQ", "-x"];
    const ALONE: [&str; 17] = [
        "-c",
        "-S",
        "-E",
        "-w",
        "-v",
        "-r",
        "-pg",
        "-pipe",
        "-shared",
        "-static",
        "-nostdlib",
        "-nostartfiles",
        "-nodefaultlibs",
        "-rdynamic",
        "-coverage",
        "--coverage",
        "-emit-llvm",
    ];
    const PREFIXES: [&str; 19] = [
        "-x",
        "-W",
        "-pedantic",
        "-M",
        "-o",
        "-O",
        "-g",
        "-save-temps",
        "-fsyntax-only",
        "-fsanitize",
        "-fno-sanitize",
        "-fprofile",
        "-ftest-coverage",
        "-fcoverage",
        "-finstrument",
        "-flto",
        "-fno-lto",
        "-fstack-protector",
        "-fxray",
    ];
    // These pass something on to other programs.
    const PASSED_ON: [&str; 3] = ["-Wl,", "-Wa,", "-Wp,"];
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let begins = |list: &[&str]| list.iter().any(|prefix| flag.starts_with(prefix));
        if WITH_ARGUMENT.contains(&flag.as_str()) {
            flags.next();
        } else if begins(&PASSED_ON) || !begins(&PREFIXES) && !ALONE.contains(&flag.as_str()) {
            kept.push(flag.clone());
        }
    }
    kept
}

/// Those of some flags that say for which machine to compile, and what code to make.
pub(crate) fn machine_flags(flags: &[String]) -> Vec<String> {
    const WITH_ARGUMENT: [&str; 3] = ["-target", "--sysroot", "-isysroot"];
    const PREFIXES: [&str; 8] =
        ["-m", "-f", "--target=", "--sysroot=", "-isysroot", "--gcc-toolchain=", "-B", "-pthread"];
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if WITH_ARGUMENT.contains(&flag.as_str()) {
            kept.push(flag.clone());
            kept.extend(flags.next().cloned());
        } else if PREFIXES.iter().any(|prefix| flag.starts_with(prefix)) {
            kept.push(flag.clone());
        }
    }
    kept
}

/// Those of some flags that name libraries.
pub(crate) fn library_flags(flags: &[String]) -> impl Iterator<Item = &String> {
    flags.iter().filter(|f| f.starts_with("-l") || is_binary(f) && !f.ends_with(".o"))
}

/// Whether an argument is a library or an object.
pub(crate) fn is_binary(argument: &str) -> bool {
    let name = argument.rsplit('/').next().unwrap_or(argument);
    !argument.starts_with('-')
        && ([".a", ".o", ".so"].iter().any(|e| name.ends_with(e)) || name.contains(".so."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn flags_with_paths_are_made_absolute_and_others_stay() {
        let relative = flags("-Iinc -I more -DA=b -isystem /usr/x -include config.h");
        let expected = flags("-I/p/inc -I /p/more -DA=b -isystem /usr/x -include /p/config.h");
        assert_eq!(absolute_flags(&relative, Path::new("/p")), expected);
    }

    #[test]
    fn what_says_for_which_machine_is_kept_and_nothing_else() {
        let all =
            "-Iinc -m32 -include a.h -DX=1 -target arm -std=c89 -Wall -fno-builtin -O2 --sysroot=/s -lm a.o";
        assert_eq!(machine_flags(&flags(all)), flags("-m32 -target arm -fno-builtin --sysroot=/s"));
    }

    #[test]
    fn what_says_how_a_build_goes_on_is_left_out() {
        let all = "-O2 -g3 -Wall -Werror -pedantic-errors -MD -MF x.d -MTx -c -o x.o -fsanitize=address --coverage -flto \
                   -shared -x c -xc -DA -D B=1 -Iinc -std=c11 -m32 -Wl,-z,now -lm -L. -include c.h -fwrapv -Wp,-DC a.o";
        let left = "-DA -D B=1 -Iinc -std=c11 -m32 -Wl,-z,now -lm -L. -include c.h -fwrapv -Wp,-DC a.o";
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        assert_eq!(source_flags(&words(all)), words(left));
    }
}
