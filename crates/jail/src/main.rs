//! The launcher of confined processes as a program of its own, which starts faster than all of Footpath.

use std::process::ExitCode;

fn main() -> ExitCode {
    footpath_jail::launcher(std::env::args_os().skip(2))
}
