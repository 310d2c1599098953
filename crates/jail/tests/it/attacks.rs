//! Each attack is tried without the launcher, which shows that it is one, and confined, in each kind of confinement; as
//! root, if the tests run as root, and as another user. The parent that is attacked is a shell of its own.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::{compile, folder};

/// What succeeds for any user without the launcher.
const POSSIBLE: [&str; 27] = [
    "kill",
    "tkill",
    "rt_tgsigqueueinfo",
    "prlimit64",
    "setpriority",
    "sched_setaffinity",
    "shmget",
    "semget",
    "msgget",
    "clone",
    "socket",
    "PR_SET_PDEATHSIG",
    "clone3",
    "memfd_create",
    "socketpair",
    "abstract name",
    "kill the group",
    "kill all",
    "keyctl",
    "inotify_init1",
    "shm_open",
    "openat2",
    "symlink",
    "mkdir",
    "/proc/self/mem",
    "environ by a link",
    "io_setup",
];
/// What processes may do that run sanitizers or make others: both have children, and these end with who made them.
const PERMITTED: [(&str, &str); 2] = [("sampler", "clone"), ("sanitized", "clone")];
const NOBODY: u32 = 65_534;
/// What attacks that succeed leave.
const MADE: [&str; 4] = [
    "/tmp/footpath_attack",
    "/tmp/footpath_attack_link",
    "/tmp/footpath_attack_name",
    "/tmp/footpath_attack_folder",
];

/// Runs attack number `number` below a shell that says afterwards that it lives.
fn attack(folder: &Path, number: usize, profile: Option<&str>, user: Option<u32>) -> Output {
    let victim = folder.join("victim");
    let _ = std::fs::remove_file(&victim);
    std::fs::write(&victim, "kept").unwrap();
    if let Some(user) = user {
        nix::unistd::chown(&victim, Some(user.into()), Some(user.into())).unwrap();
    }
    for made in MADE {
        let _ = std::fs::remove_file(made).or_else(|_| std::fs::remove_dir(made));
    }
    let launcher = folder.join("footpath-jail");
    let mut command = Command::new("sh");
    command.args(["-c", "\"$@\"; echo $?", "sh"]);
    if let Some(profile) = profile {
        command.arg(launcher).args(["__confine", "--profile", profile, "--seconds", "5", "--"]);
    }
    command.arg(folder.join("program")).arg(number.to_string());
    command.args([victim, folder.join("secret")]).current_dir("/").stdin(std::process::Stdio::null());
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    command.output().unwrap()
}

/// Whether an attack was refused, by what it says of itself and by how it ended.
fn is_refused(name: &str, said: &str, ended: &str) -> bool {
    // The architecture of the call is not the program's: the system ends it.
    if name == "int80" && ended == "159" {
        return true;
    }
    let errors: &[&str] = match name {
        // What the launcher's descriptor was is closed, and has a number that no other can have.
        "execveat" => &["EBADF"],
        // As on a system that does not know the call yet.
        "clone3" => &["ENOSYS"],
        // The limit on threads.
        "threads" => &["EAGAIN"],
        _ => &["EPERM", "EACCES"],
    };
    ended == "0" && errors.iter().any(|error| said.starts_with(&format!("{name} refused {error}")))
}

#[test]
fn no_attack_succeeds_from_within() {
    let folder = folder("attacks");
    compile(&folder, include_str!("attacks.c"), &["-pthread"]);
    std::fs::write(folder.join("secret"), "kept").unwrap();
    let is_root = nix::unistd::geteuid().is_root();
    let users = if is_root { vec![None, Some(NOBODY)] } else { vec![None] };
    for user in users {
        let (mut number, mut possible) = (0, Vec::new());
        loop {
            let free = attack(&folder, number, None, user);
            let told = String::from_utf8_lossy(&free.stderr).into_owned();
            if told.starts_with("end") {
                break;
            }
            // A program that was started says nothing.
            let is_done = told.contains(" done ") || told.is_empty();
            for profile in ["test", "sanitized", "sampler"] {
                let confined = attack(&folder, number, Some(profile), user);
                let said = String::from_utf8_lossy(&confined.stderr).into_owned();
                let ended = String::from_utf8_lossy(&confined.stdout).trim().to_owned();
                let name =
                    said.rsplit_once(" refused").or(said.rsplit_once(" done")).map_or("int80", |(n, _)| n);
                let is_permitted = PERMITTED.contains(&(profile, name));
                assert!(
                    is_permitted || is_refused(name, &said, &ended),
                    "{number} as {user:?}, {profile}: {said} {ended}"
                );
                if is_done && profile == "test" {
                    possible.push(name.to_owned());
                }
            }
            number += 1;
        }
        assert!(number >= 78, "{number}");
        for name in POSSIBLE {
            assert!(possible.iter().any(|p| p == name), "{name} is no attack: {possible:?}");
        }
    }
    for made in MADE {
        let _ = std::fs::remove_file(made).or_else(|_| std::fs::remove_dir(made));
    }
    std::fs::remove_dir_all(folder).unwrap();
}
