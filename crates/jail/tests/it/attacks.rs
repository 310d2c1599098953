//! Each attack is tried without the launcher, which shows that it is one, and confined; as root, if the tests run as
//! root, and as another user. The parent that is attacked is a shell of its own.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::{compile, folder};

/// What succeeds for any user without the launcher.
const POSSIBLE: [&str; 12] = [
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
];
const NOBODY: u32 = 65_534;

/// Runs attack number `number` below a shell that says afterwards that it lives.
fn attack(folder: &Path, number: usize, is_confined: bool, user: Option<u32>) -> Output {
    let launcher = folder.join("footpath-jail");
    let mut command = Command::new("sh");
    command.args(["-c", "\"$@\"; echo $?", "sh"]);
    if is_confined {
        command.arg(launcher).args(["__confine", "--profile", "test", "--seconds", "5", "--"]);
    }
    command.arg(folder.join("program")).arg(number.to_string());
    command
        .args([folder.join("victim"), folder.join("secret")])
        .current_dir("/")
        .stdin(std::process::Stdio::null());
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    command.output().unwrap()
}

#[test]
fn no_attack_succeeds_from_within() {
    let folder = folder("attacks");
    compile(&folder, include_str!("attacks.c"), &[]);
    let is_root = nix::unistd::geteuid().is_root();
    let users = if is_root { vec![None, Some(NOBODY)] } else { vec![None] };
    for user in users {
        let victim = folder.join("victim");
        let _ = std::fs::remove_file(&victim);
        std::fs::write(&victim, "kept").unwrap();
        std::fs::write(folder.join("secret"), "kept").unwrap();
        if let Some(user) = user {
            nix::unistd::chown(&victim, Some(user.into()), Some(user.into())).unwrap();
        }
        let (mut number, mut possible) = (0, Vec::new());
        loop {
            let confined = attack(&folder, number, true, user);
            let said = String::from_utf8_lossy(&confined.stderr).into_owned();
            if said.starts_with("end") {
                break;
            }
            // The architecture of the call is not the program's: the system ends it.
            let ended = String::from_utf8_lossy(&confined.stdout).trim().to_owned();
            let is_refused = said.contains(" refused EPERM") || said.contains(" refused EACCES");
            // What the launcher's descriptor was is closed, and has a number that no other can have.
            let is_refused = is_refused || said.starts_with("execveat refused EBADF");
            assert!(is_refused && ended == "0" || ended == "159", "{number} as {user:?}: {said} {ended}");
            let free = attack(&folder, number, false, user);
            let said = String::from_utf8_lossy(&free.stderr).into_owned();
            possible.extend(said.split(' ').next().filter(|_| said.contains(" done ")).map(str::to_owned));
            number += 1;
        }
        assert!(number >= 38, "{number}");
        for name in POSSIBLE {
            assert!(possible.iter().any(|p| p == name), "{name} is no attack: {possible:?}");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}
