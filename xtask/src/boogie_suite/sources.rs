//! Where Boogie programs come from: package managers, and programs that emit Boogie.
//!
//! Fetched files are never committed. The inputs that we give to the emitting programs are ours, and lie
//! in `xtask/boogie-suite`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A place to have programs from.
#[derive(Debug)]
pub struct Source {
    pub name: &'static str,
    fetch: fn(&Fetch<'_>) -> Result<(), String>,
}

/// Every source.
pub const ALL: &[Source] = &[
    Source { name: "boogie", fetch: boogie },
    Source { name: "dafny", fetch: dafny },
    Source { name: "viper", fetch: viper },
    Source { name: "melvin", fetch: melvin },
    Source { name: "pygments", fetch: pygments },
];

impl Source {
    /// Fills the folder, replacing what is there.
    pub fn fetch(&self, root: &Path, folder: &Path) -> Result<(), String> {
        let temp = std::env::temp_dir().join(format!("footpath-{}-{}", self.name, std::process::id()));
        let fetch = Fetch { root, folder, temp: &temp };
        for path in [folder, &temp] {
            _ = std::fs::remove_dir_all(path);
            std::fs::create_dir_all(path)
                .map_err(|error| format!("cannot create {}: {error}", path.display()))?;
        }
        let done = (self.fetch)(&fetch);
        _ = std::fs::remove_dir_all(&temp);
        done
    }
}

/// What a source has to work with.
struct Fetch<'a> {
    root: &'a Path,
    /// Where the programs go.
    folder: &'a Path,
    /// Removed afterwards.
    temp: &'a Path,
}

/// Makes sure that a command is there, by the Debian package that has it.
pub fn install(root: &Path, command: &str, package: &str) -> Result<(), String> {
    run(Command::new(root.join("scripts/setup")).arg(format!("{command}:{package}")))
}

/// Boogie's own tests.
fn boogie(fetch: &Fetch<'_>) -> Result<(), String> {
    let archive = fetch_debian_source("boogie", fetch.temp)?;
    run(Command::new("tar")
        .arg("-C")
        .arg(fetch.folder)
        .arg("-xf")
        .arg(archive)
        .args(["--wildcards", "*/Test/*"]))
}

/// Fetches the original archive of a Debian source package; where it lies then.
pub fn fetch_debian_source(package: &str, temp: &Path) -> Result<PathBuf, String> {
    // Source packages are listed apart, and most machines do not list them. The list is derived from the
    // machine's own, and everything lies apart, so that the machine's state stays as it is.
    let lists = temp.join("lists");
    create(&lists.join("partial"))?;
    let sources = temp.join("source.list.d");
    create(&sources)?;
    derive_source_lists(&sources)?;
    let option = |name: &str, value: &Path| format!("-oDir::{name}={}", value.display());
    let apt = || {
        let mut command = Command::new("apt-get");
        command.args([option("State::lists", &lists), option("Etc::sourcelist", Path::new("/dev/null"))]);
        // Else apt warns that its own user may not write to the temporary folder.
        command.arg("-oAPT::Sandbox::User=root");
        command.arg(option("Etc::sourceparts", &sources)).arg("-q").current_dir(temp);
        command
    };
    run(apt().arg("update"))?;
    run(apt().args(["source", "--download-only", package]))?;
    find(temp, ".orig.tar")
}

/// Writes apt's lists of packages again, as lists of source packages.
fn derive_source_lists(to: &Path) -> Result<(), String> {
    let etc = Path::new("/etc/apt");
    let parts = std::fs::read_dir(etc.join("sources.list.d"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    for path in parts.chain([etc.join("sources.list")]) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.file_name().expect("a listed file has a name");
        write(&to.join(name), &as_source_list(&text))?;
    }
    Ok(())
}

/// Both of apt's forms: `deb HOST…` lines, and paragraphs with `Types: deb`.
fn as_source_list(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("deb ") {
        Some(rest) => format!("deb-src {rest}\n"),
        None if line.starts_with("Types:") => "Types: deb-src\n".to_owned(),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// What Dafny adds to every program, and what it makes of ours.
fn dafny(fetch: &Fetch<'_>) -> Result<(), String> {
    install(fetch.root, "dafny", "dafny")?;
    copy(Path::new("/usr/lib/dafny/DafnyPrelude.bpl"), &fetch.folder.join("DafnyPrelude.bpl"))?;
    for input in inputs(fetch, "dafny", "dfy")? {
        let output = fetch.folder.join(output_name(&input));
        let print = format!("/print:{}", output.display());
        run(Command::new("dafny").args(["/noVerify", "/compile:0", &print]).arg(&input))?;
        expect(&output)?;
    }
    Ok(())
}

/// What Viper's Carbon adds to programs, and what it makes of our programs and of two Viper libraries.
fn viper(fetch: &Fetch<'_>) -> Result<(), String> {
    const BACKEND: &str = "nagini_translation/resources/backends/carbon.jar";
    install(fetch.root, "java", "default-jre-headless")?;
    let nagini = unpack_wheel(fetch, "nagini==1.2.0")?;
    let vyper = unpack_wheel(fetch, "2vyper==0.3.0")?;
    let carbon = nagini.join(BACKEND);

    let unpacked = fetch.temp.join("carbon");
    unzip(&carbon, &unpacked)?;
    let mut preludes = Vec::new();
    super::find_bpl(&unpacked, &mut preludes)?;
    for path in preludes {
        // Different folders have files of the same name.
        let name = path.strip_prefix(&unpacked).expect("found in it").display().to_string().replace('/', "-");
        copy(&path, &fetch.folder.join(name))?;
    }

    let mut programs = inputs(fetch, "viper", "vpr")?;
    let resources = nagini.join("nagini_translation/resources");
    for name in ["lock", "measures", "name_domain", "pytype"] {
        programs.push(resources.join(format!("{name}.sil")));
    }
    programs.push(whole_nagini(&resources)?);
    let resources = vyper.join("twovyper/resources");
    for name in ["all", "array", "blockchain", "contract", "convert", "map", "math", "range", "struct"] {
        programs.push(resources.join(format!("{name}.vpr")));
    }

    for input in programs {
        let output = fetch.folder.join(output_name(&input));
        let z3 = fetch.root.join(".deps/z3/bin/z3");
        // Carbon has no mode that only translates: it wants both programs, and says by its exit code what
        // they find. What counts is that it wrote the translation.
        _ = Command::new("java")
            .arg("-cp")
            .arg(&carbon)
            .args([
                "viper.carbon.Carbon",
                "--boogieExe",
                "/usr/bin/boogie",
                "--boogieOpt",
                "/noVerify",
                "--z3Exe",
            ])
            .arg(z3)
            .arg("--print")
            .args([&output, &input])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        expect(&output)?;
    }
    Ok(())
}

/// The model of Python in Viper, with the placeholders that Nagini fills in at each run.
fn whole_nagini(resources: &Path) -> Result<PathBuf, String> {
    let read = |name: &str| {
        std::fs::read_to_string(resources.join(name)).map_err(|error| format!("cannot read {name}: {error}"))
    };
    let text = read("intbv.sil")? + &read("all.sil")?;
    let text = text.replace("NBITS", "8").replace("INT_MIN_VAL", "-128").replace("INT_MAX_VAL", "127");
    let path = resources.join("python.sil");
    write(&path, &text)?;
    Ok(path)
}

/// What Melvin, a verifier of concurrent programs, makes of its examples.
fn melvin(fetch: &Fetch<'_>) -> Result<(), String> {
    let wheel = unpack_wheel(fetch, "melvin-verifier==0.1.0")?;
    for input in list(&wheel.join("melvin/examples"), "mml")? {
        let output = fetch.folder.join(output_name(&input));
        // It runs Boogie too, and says by its exit code what that finds; any program will do as Boogie.
        _ = Command::new("python3")
            .env("PYTHONPATH", &wheel)
            .args(["-m", "melvin.cli", "--boogie", "/bin/true", "--emit-bpl"])
            .args([&output, &input])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        expect(&output)?;
    }
    Ok(())
}

/// A program that a syntax highlighter is tested on.
fn pygments(fetch: &Fetch<'_>) -> Result<(), String> {
    run(pip(fetch).args(["--no-binary", "pygments", "pygments==2.21.0"]))?;
    let archive = find(fetch.temp, ".tar.gz")?;
    run(Command::new("tar")
        .arg("-C")
        .arg(fetch.folder)
        .arg("-xf")
        .arg(archive)
        .args(["--wildcards", "*.bpl"]))
}

/// `pip download` into the temporary folder, still without the package.
fn pip(fetch: &Fetch<'_>) -> Command {
    let mut command = Command::new("python3");
    command.args(["-m", "pip", "download", "-q", "--no-deps", "--dest"]).arg(fetch.temp);
    command
}

/// Fetches a Python package and unpacks it; where it lies then.
fn unpack_wheel(fetch: &Fetch<'_>, requirement: &str) -> Result<PathBuf, String> {
    run(pip(fetch).arg(requirement))?;
    let wheel = find(fetch.temp, ".whl")?;
    let folder = wheel.with_extension("d");
    unzip(&wheel, &folder)?;
    // Else the next wheel could not be told from it.
    std::fs::remove_file(&wheel).map_err(|error| format!("cannot remove {}: {error}", wheel.display()))?;
    Ok(folder)
}

/// Python unpacks zip files; a program of its own for that may be missing.
fn unzip(archive: &Path, folder: &Path) -> Result<(), String> {
    run(Command::new("python3").args(["-m", "zipfile", "-e"]).args([archive, folder]))
}

/// Our own inputs for a source.
fn inputs(fetch: &Fetch<'_>, source: &str, extension: &str) -> Result<Vec<PathBuf>, String> {
    list(&fetch.root.join("xtask/boogie-suite").join(source), extension)
}

fn output_name(input: &Path) -> PathBuf {
    let stem = input.file_stem().unwrap_or_default().to_string_lossy();
    // Files of different libraries share names, and each library has a folder.
    let library = input.ancestors().filter_map(|folder| folder.file_name()?.to_str()).find_map(|name| {
        ["2vyper", "nagini"].into_iter().find(|library| name.starts_with(library) && name != *library)
    });
    PathBuf::from(library.map_or(format!("{stem}.bpl"), |library| format!("{library}-{stem}.bpl")))
}

fn list(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    Ok(files)
}

/// The file in the folder whose name contains the part.
fn find(folder: &Path, part: &str) -> Result<PathBuf, String> {
    let is_it = |path: &PathBuf| {
        path.is_file() && path.file_name().is_some_and(|name| name.to_string_lossy().contains(part))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).find(is_it).ok_or_else(|| format!("nothing named …{part}… was fetched"))
}

/// Dafny writes a file per module, with a suffix, if a program has several.
fn expect(output: &Path) -> Result<(), String> {
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    find(output.parent().unwrap_or(output), &stem)
        .map(drop)
        .map_err(|_| format!("{} was not written", output.display()))
}

fn create(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(drop).map_err(|error| format!("cannot copy {}: {error}", from.display()))
}

/// Runs a command quietly; what it said is the error if it fails.
fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("cannot run {name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let last: Vec<&str> = said.lines().rev().take(4).collect();
    Err(format!("{name} failed:\n  {}", last.into_iter().rev().collect::<Vec<_>>().join("\n  ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_apt_lists_become_lists_of_sources() {
        assert_eq!(as_source_list("# x\ndeb http://host a b\n"), "# x\ndeb-src http://host a b\n");
        assert_eq!(as_source_list("Types: deb\nURIs: http://host\n"), "Types: deb-src\nURIs: http://host\n");
    }

    #[test]
    fn outputs_of_libraries_are_told_apart() {
        let name = |path: &str| output_name(Path::new(path)).display().to_string();
        assert_eq!(name("/tmp/2vyper-0.3.0-py3.d/twovyper/resources/map.vpr"), "2vyper-map.bpl");
        assert_eq!(name("xtask/boogie-suite/viper/list.vpr"), "list.bpl");
    }
}
