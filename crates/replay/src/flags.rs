//! Compiler flags: which of the user's flags are used for which step.
//!
//! The meaning of a source depends on some of them (macros, include folders, the language, the target); the others
//! control the user's own build. Flags that name folders or files relative to the user's working folder are made
//! absolute, as tests are built elsewhere. Example: of `-Iinc -DX=1 -O2 -Wall -o main`, the analysis keeps `-DX=1`
//! and the include folder, as an absolute path.

use std::path::{Path, PathBuf};

/// The flags of the compiler that name a folder or file, in front of it or as the argument before it.
const PATH_FLAGS: [&str; 8] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-F", "-L"];

/// So many of them are about headers.
const HEADER_PATHS: usize = 7;

/// Those of them that name a file which may also be in one of the folders for headers.
const HEADER_FLAGS: [&str; 2] = ["-include", "-imacros"];

/// The flags with relative paths made absolute. A forced header that is not in the folder is left for the include
/// path.
pub fn absolute_flags(flags: &[String], folder: &Path) -> Vec<String> {
    with_paths(flags, &PATH_FLAGS, |flag, path| {
        let there = folder.join(path);
        let stays = HEADER_FLAGS.contains(&flag) && !there.exists();
        if stays { path.to_owned() } else { there.display().to_string() }
    })
}

/// The flags with other names for the folders and files of headers, where a function gives one; those of libraries stay.
pub fn with_header_paths(flags: &[String], rename: impl Fn(&Path) -> Option<PathBuf>) -> Vec<String> {
    with_paths(flags, &PATH_FLAGS[..HEADER_PATHS], |flag, path| {
        let renamed = if flag.is_empty() { None } else { rename(Path::new(path)) };
        renamed.map_or_else(|| path.to_owned(), |path| path.display().to_string())
    })
}

/// The flags with folders and files of headers that begin with `.` or `..` put into a folder.
pub(crate) fn headers_in(flags: &[String], folder: &str) -> Vec<String> {
    let is_near = |path: &Path| path.starts_with(".") || path.starts_with("..");
    let rename = |path: &Path| is_near(path).then(|| Path::new(folder).join(path));
    with_header_paths(flags, rename)
}

/// The flags with what a function makes of a path: it is given the flag in front, which is empty for a library.
fn with_paths(flags: &[String], of_paths: &[&str], path_of: impl Fn(&str, &str) -> String) -> Vec<String> {
    let mut before = None;
    let mut out = Vec::new();
    for flag in flags {
        let attached = of_paths.iter().find_map(|p| flag.strip_prefix(p).map(|rest| (*p, rest)));
        let is_argument = before.is_some();
        out.push(match (before.take(), attached) {
            (Some(prefix), _) => path_of(prefix, flag),
            _ if is_binary(flag) => path_of("", flag),
            (_, Some((prefix, rest))) if !rest.is_empty() => format!("{prefix}{}", path_of(prefix, rest)),
            _ => flag.clone(),
        });
        before = attached.filter(|(_, rest)| rest.is_empty() && !is_argument).map(|(prefix, _)| prefix);
    }
    out
}

/// The flags that determine the meaning of a source: without those for warnings, optimisation, instrumentation,
/// output and linking, but with libraries.
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

/// The flags that select the target machine and the kind of code.
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

/// The flags that name libraries.
pub(crate) fn library_flags(flags: &[String]) -> impl Iterator<Item = &String> {
    flags.iter().filter(|f| f.starts_with("-l") || is_binary(f) && !f.ends_with(".o"))
}

/// The folders in which libraries are: those that are named for the linker, and those of libraries that are named.
pub(crate) fn library_folders(flags: &[String]) -> impl Iterator<Item = &Path> {
    let mut before = "";
    flags.iter().filter_map(move |flag| {
        let folder = match std::mem::replace(&mut before, flag) {
            "-L" => Some(Path::new(flag)),
            _ if is_binary(flag) => Path::new(flag).parent(),
            _ => {
                ["-L", "-Wl,-rpath,", "-Wl,-rpath="].iter().find_map(|p| flag.strip_prefix(p)).map(Path::new)
            }
        };
        folder.filter(|folder| !folder.as_os_str().is_empty())
    })
}

/// Flags with which a program finds shared libraries when it runs where the linker found them.
pub(crate) fn search_flags(flags: &[String]) -> Vec<String> {
    library_folders(flags)
        .flat_map(|folder| [format!("-L{}", folder.display()), format!("-Wl,-rpath,{}", folder.display())])
        .collect()
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
    fn paths_of_headers_are_renamed_and_put_into_a_folder() {
        let given =
            flags("-include stdint.h -I/p/inc -isystem /p/sys -I/usr/include -L/p/lib /p/x.a -DP=/p/inc");
        let relative = with_header_paths(&given, |path| {
            path.strip_prefix("/p").ok().map(|rest| Path::new("..").join(rest))
        });
        assert_eq!(
            relative,
            flags("-include stdint.h -I../inc -isystem ../sys -I/usr/include -L/p/lib /p/x.a -DP=/p/inc")
        );
        assert_eq!(
            headers_in(&relative, "here"),
            flags(
                "-include stdint.h -Ihere/../inc -isystem here/../sys -I/usr/include -L/p/lib /p/x.a -DP=/p/inc"
            )
        );
    }

    #[test]
    fn flags_with_paths_are_made_absolute_and_others_stay() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let relative = flags("-Iinc -I more -DA=b -isystem /usr/x -include Cargo.toml -include stdint.h");
        let expected =
            "-IHERE/inc -I HERE/more -DA=b -isystem /usr/x -include HERE/Cargo.toml -include stdint.h";
        let expected = expected.split(' ').map(|flag| flag.replace("HERE", &here.display().to_string()));
        assert_eq!(absolute_flags(&relative, here), expected.collect::<Vec<_>>());
    }

    #[test]
    fn what_says_for_which_machine_is_kept_and_nothing_else() {
        let all =
            "-Iinc -m32 -include a.h -DX=1 -target arm -std=c89 -Wall -fno-builtin -O2 --sysroot=/s -lm a.o";
        assert_eq!(machine_flags(&flags(all)), flags("-m32 -target arm -fno-builtin --sysroot=/s"));
    }

    #[test]
    fn folders_of_libraries_are_searched_when_a_program_runs() {
        let all = flags("-Iinc -L/a -lx -L /b -Wl,-rpath,/c /d/libz.so.1 -lm");
        let folders: Vec<&Path> = library_folders(&all).collect();
        assert_eq!(folders, ["/a", "/b", "/c", "/d"].map(Path::new));
        assert_eq!(search_flags(&flags("-lx -L/a")), flags("-L/a -Wl,-rpath,/a"));
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
