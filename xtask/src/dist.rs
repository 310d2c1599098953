//! Packages: a wheel, a Debian package, `cargo install` and an image, each built, and tried where nothing else of Footpath is.
//!
//! **Idea.** A package that works in the checkout says little: there the program would find libz3, its launcher and all the rest
//! anyway. So each is unpacked into an empty folder, and run there with an empty environment. It has to find libz3 where the package
//! has it, to name no folder of this machine in which libraries are looked for, and to test a function of which is known what fails
//! and what is dead.
//!
//! ```text
//! scripts/install ──▶ target/dist/tree ──▶ target/packages/footpath-….whl ──▶ pip in an empty environment
//!                                     └──▶ target/packages/footpath_….deb ──▶ dpkg -x
//! ```
//!
//! **Direction of error.** What the system has is there in the trial, too: that a package says all that it depends on is not shown.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;

const USAGE: &str = "\
usage: cargo xtask dist [PACKAGE…]

Builds packages, optimised in full, and tries each in an empty folder; by default all of them:

  wheel   for pip, into target/packages; libz3 is that of the wheel `z3-solver`
  deb     for Debian and Ubuntu, into target/packages; needs cargo-deb
  cargo   what `cargo install --path crates/cli` installs
  image   what the Dockerfile makes, where a docker daemon answers

Exit code 1 if a package does not work.
";
const PACKAGES: [&str; 4] = ["wheel", "deb", "cargo", "image"];
/// What the packages are tried with.
const SOURCE: &str =
    "int half(int n)\n{\n    if (n > 9 && n < 5)\n        return -1;\n    return 100 / n;\n}\n";

/// Builds and tries packages.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    if args.iter().any(|arg| matches!(*arg, "--help" | "-h")) {
        print!("{USAGE}");
        return Ok(true);
    }
    if args.iter().any(|arg| !PACKAGES.contains(arg)) {
        return Err(USAGE.to_owned());
    }
    let wanted = |package: &str| args.is_empty() || args.contains(&package);
    let dist = Dist { root, tree: root.join("target/dist/tree"), packages: root.join("target/packages") };
    fs::create_dir_all(&dist.packages).map_err(|e| format!("{}: {e}", dist.packages.display()))?;
    if wanted("wheel") || wanted("deb") {
        dist.build()?;
    }
    let mut is_good = true;
    for package in PACKAGES.into_iter().filter(|package| wanted(package)) {
        let tried = match package {
            "wheel" => dist.wheel(),
            "deb" => dist.deb(),
            "cargo" => dist.cargo(),
            _ => dist.image(),
        };
        match tried {
            Ok(what) => println!("{package}: {what}"),
            Err(why) => {
                println!("{package}: FAILED: {why}");
                is_good = false;
            }
        }
    }
    Ok(is_good)
}

/// Where things are.
struct Dist<'a> {
    root: &'a Path,
    /// What is installed.
    tree: PathBuf,
    /// What is made of it.
    packages: PathBuf,
}

impl Dist<'_> {
    fn build(&self) -> Result<(), String> {
        let _ = fs::remove_dir_all(&self.tree);
        let mut install = Command::new(self.root.join("scripts/install"));
        said(install.arg("--prefix").arg(&self.tree)).map(drop)
    }

    fn wheel(&self) -> Result<String, String> {
        self.stage_wheel().map_err(|e| format!("target/wheel: {e}"))?;
        let tools = self.root.join("target/packages-tools");
        let maturin = tools.join("bin/maturin");
        if !maturin.is_file() {
            said(Command::new("python3").args(["-m", "venv"]).arg(&tools))?;
            said(Command::new(tools.join("bin/pip")).args(["install", "--quiet", "maturin>=1.9,<2"]))?;
        }
        remove(&self.packages, "whl")?;
        let mut build = Command::new(&maturin);
        build.args(["build", "--quiet", "--out"]).arg(&self.packages).current_dir(self.root);
        said(build.env("FOOTPATH_INSTALLS", "1"))?;
        let wheel = only(&self.packages, "whl")?;
        let folder = Empty::new("wheel")?;
        let environment = folder.path.join("venv");
        said(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        let mut pip = Command::new(environment.join("bin/pip"));
        said(pip.args(["install", "--quiet", "--disable-pip-version-check"]).arg(&wheel))?;
        folder.try_program(&environment, &environment)?;
        folder.has_launcher_and_pages(&environment)?;
        folder.try_package(&environment.join("bin/python3"))?;
        Ok(format!("{} works", name(&wheel)))
    }

    /// What the wheel has besides the program: scripts, and what is installed for other programs.
    fn stage_wheel(&self) -> std::io::Result<()> {
        let stage = self.root.join("target/wheel");
        let _ = fs::remove_dir_all(&stage);
        copy_all(&self.tree.join("share"), &stage.join("data/share"))?;
        fs::create_dir_all(stage.join("scripts"))?;
        for script in ["footpath-jail", "footpath-review"] {
            fs::copy(self.tree.join("bin").join(script), stage.join("scripts").join(script))?;
        }
        Ok(())
    }

    fn deb(&self) -> Result<String, String> {
        let mut build = Command::new(cargo());
        build.args(["deb", "--no-build", "--quiet", "-p", "footpath-cli", "--profile", "dist"]);
        // The built-in compressor takes minutes for what the system's does in a second.
        build.args(["--compress-type", "gzip", "--compress-system"]);
        remove(&self.packages, "deb")?;
        said(build.arg("--output").arg(&self.packages).current_dir(self.root))
            .map_err(|why| format!("{why}\n(`cargo install cargo-deb` brings what builds it)"))?;
        let package = only(&self.packages, "deb")?;
        let folder = Empty::new("deb")?;
        let into = folder.path.join("root");
        said(Command::new("dpkg").arg("-x").arg(&package).arg(&into))?;
        folder.try_program(&into.join("usr"), &into)?;
        folder.has_launcher_and_pages(&into.join("usr"))?;
        Ok(format!("{} works", name(&package)))
    }

    fn cargo(&self) -> Result<String, String> {
        let folder = Empty::new("cargo")?;
        let into = folder.path.join("cargo");
        let mut install = Command::new(cargo());
        install.args(["install", "--quiet", "--locked", "--path", "crates/cli", "--no-track", "--root"]);
        install.arg(&into).args(["--target-dir", "target"]).current_dir(self.root);
        said(install.env_remove("FOOTPATH_INSTALLS"))?;
        // Its libz3 stays the checkout's.
        folder.try_command(&into.join("bin/footpath"))?;
        Ok("what `cargo install --path crates/cli` installs works".to_owned())
    }

    fn image(&self) -> Result<String, String> {
        let answers = Command::new("docker").arg("info").output().is_ok_and(|output| output.status.success());
        if !answers {
            return Ok("not built, as no docker daemon answers here".to_owned());
        }
        said(
            Command::new("docker").args(["build", "--quiet", "-t", "footpath", "."]).current_dir(self.root),
        )?;
        let folder = Empty::new("image")?;
        let mount = format!("{}:/src", folder.path.display());
        let mut run = Command::new("docker");
        run.args(["run", "--rm", "-v", &mount, "footpath", "footpath", "test", "half.c"]);
        folder.check_report(&mut run)?;
        Ok("the image works".to_owned())
    }
}

/// An empty folder with a source to try a package on, which goes with this.
struct Empty {
    path: PathBuf,
}

impl Empty {
    fn new(package: &str) -> Result<Empty, String> {
        let path = std::env::temp_dir().join(format!("footpath-dist-{package}-{}", std::process::id()));
        let made = fs::create_dir(&path).and_then(|()| fs::write(path.join("half.c"), SOURCE));
        // The dynamic loader names folders without links.
        made.and_then(|()| path.canonicalize())
            .map_or_else(|e| Err(format!("{}: {e}", path.display())), |path| Ok(Empty { path }))
    }

    /// Tries the program that is installed under `prefix`, all of whose libraries but the system's have to be under `within`.
    fn try_program(&self, prefix: &Path, within: &Path) -> Result<(), String> {
        let program = prefix.join("bin/footpath");
        let loaded = said(Command::new("ldd").arg(&program).env_clear().env("PATH", PATH))?;
        let libz3 =
            loaded.lines().find_map(|line| line.trim().strip_prefix("libz3.so")?.split(" => ").nth(1));
        let libz3 = libz3.and_then(|rest| Path::new(rest.split(" (").next()?).canonicalize().ok());
        let is_own = libz3.as_ref().is_some_and(|libz3| libz3.starts_with(within));
        if !is_own {
            return Err(format!("libz3 is not found in the package, but at {libz3:?}"));
        }
        let dynamic = said(Command::new("readelf").arg("-d").arg(&program))?;
        let paths = dynamic.lines().filter(|line| line.contains("RUNPATH") || line.contains("RPATH"));
        let paths = paths.filter_map(|line| line.split_once('[')?.1.split(']').next());
        if let Some(path) = paths.flat_map(|all| all.split(':')).find(|path| !path.starts_with("$ORIGIN/")) {
            return Err(format!("the program looks for libraries in {path}"));
        }
        self.try_command(&program)
    }

    /// Runs a program here, with nothing in its environment.
    fn try_command(&self, program: &Path) -> Result<(), String> {
        let run = || {
            let mut command = Command::new(program);
            command.current_dir(&self.path).env_clear().env("PATH", PATH).env("HOME", &self.path);
            command
        };
        let version = said(run().arg("--version"))?;
        if !version.starts_with(concat!("footpath ", env!("CARGO_PKG_VERSION"))) {
            return Err(format!("it calls itself {version}"));
        }
        self.check_report(run().args(["test", "half.c"]))
    }

    fn check_report(&self, test: &mut Command) -> Result<(), String> {
        let report = said(test)?;
        let lacks =
            ["infeasible[dead-code]", "needs `n != 0`"].into_iter().find(|words| !report.contains(words));
        match lacks {
            Some(words) => Err(format!("`{words}` is not said: {report}")),
            None => said(Command::new("make").args(["-C", "footpath-out"]).current_dir(&self.path)).map(drop),
        }
    }

    /// Tests a function by the Python package, which has to find its own program.
    fn try_package(&self, python: &Path) -> Result<(), String> {
        let mut command = Command::new(python);
        let script = "import footpath; print(footpath.analyse(['half.c']).totals.infeasible > 0)";
        command.args(["-c", script]).current_dir(&self.path);
        let said = said(command.env_clear().env("PATH", PATH).env("HOME", &self.path))?;
        let is_found = said.trim() == "True";
        is_found.then_some(()).ok_or_else(|| format!("the Python package finds no dead code: {said}"))
    }

    fn has_launcher_and_pages(&self, prefix: &Path) -> Result<(), String> {
        let page = ["footpath.1", "footpath.1.gz"].map(|name| prefix.join("share/man/man1").join(name));
        let completions = prefix.join("share/bash-completion/completions/footpath");
        for file in ["footpath-jail", "footpath-review"].map(|name| prefix.join("bin").join(name)) {
            said(Command::new("test").arg("-x").arg(&file))
                .map_err(|_| format!("{} is missing", file.display()))?;
        }
        let is_there = page.iter().any(|page| page.is_file()) && completions.is_file();
        is_there.then_some(()).ok_or_else(|| "manual pages or completions are missing".to_owned())
    }
}

impl Drop for Empty {
    fn drop(&mut self) {
        // What stays is in the system's temporary folder.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Where the system's programs are.
const PATH: &str = "/usr/bin:/bin";

fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs a command; what it said on standard output, or why it failed.
fn said(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{program} cannot be started: {e}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!(
            "{program} failed ({}): {}{}",
            output.status,
            text(&output.stdout),
            text(&output.stderr)
        )),
    }
}

/// The files of a folder whose names end so.
fn ending(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension() == Some(OsStr::new(ending))).collect())
}

fn remove(folder: &Path, end: &str) -> Result<(), String> {
    let old = ending(folder, end)?;
    old.iter().try_for_each(|path| fs::remove_file(path).map_err(|e| format!("{}: {e}", path.display())))
}

fn only(folder: &Path, end: &str) -> Result<PathBuf, String> {
    match ending(folder, end)?.as_slice() {
        [one] => Ok(one.clone()),
        all => Err(format!("{} files .{end} in {}", all.len(), folder.display())),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy_all(&path, &to)? } else { fs::copy(&path, &to).map(drop)? }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_packages_that_there_are_can_be_asked_for() {
        assert!(run(Path::new("/no/such/folder"), &["rpm"]).unwrap_err().starts_with("usage"));
        for package in PACKAGES {
            assert!(USAGE.contains(&format!("\n  {package} ")), "{package} is not described");
        }
    }
}
