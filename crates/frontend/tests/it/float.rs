//! Floating-point arithmetic of C: what a lowered function computes is what the machine computes, to the last bit,
//! the bits of NaNs included.
#![cfg(target_arch = "x86_64")]

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use footpath_frontend::{c, llvm};
use footpath_ir::interp::{Interpreter, Limits, Outcome, Replay, Script};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_term::Value;

fn run(command: &mut Command) -> String {
    let output = command.output().expect("the compiler and what it made can be run");
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn lowered_functions_compute_what_the_machine_computes() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/float/functions.c");
    let scratch = std::env::temp_dir().join(format!("footpath-float-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a temporary directory");
    let flags = ["-O0", "-w", "-fno-math-errno", "-ffp-contract=off"];
    let program = scratch.join("functions");
    run(Command::new("clang").args(flags).args(["-DNATIVE", "-o"]).arg(&program).arg(&source).arg("-lm"));
    let native = run(&mut Command::new(&program));
    let text = run(Command::new("clang").args(flags).args(["-S", "-emit-llvm", "-o", "-"]).arg(&source));
    std::fs::remove_dir_all(&scratch).expect("it was made above");

    let mut sources = SourceMap::new();
    let id = sources.add(SourceFile::new("functions.ll", text));
    let (module, _) = llvm::read(id, &sources);
    let (lowered, _, diagnostics) = c::lower(&[module], sources, &c::Options::default(), &|_| false);
    assert!(diagnostics.is_empty(), "{}", diagnostics[0].message);
    let procedures: HashMap<&str, _> = lowered.functions.iter().map(|f| (&*f.name, f.procedure)).collect();
    let interpreter = Interpreter::new(&lowered.program);
    let mut compared = 0;
    for line in native.lines() {
        let mut words = line.split(' ');
        let name = words.next().expect("a name");
        let numbers: Vec<u64> = words.map(|w| w.parse().expect("a number")).collect();
        let procedure = procedures[name];
        let body = &lowered.program[procedure].bodies[0];
        let mut script = Script::default();
        for (param, &bits) in body.params.iter().zip(&numbers) {
            script.entries.insert((0, param.symbol), Value::BitVec { width: 64, bits: bits.into() });
        }
        let run = interpreter.run(procedure, 0, &mut Replay::new(&script), &Limits::default());
        assert_eq!(run.outcome, Outcome::Returned, "{line}");
        let result = run.results[0].as_ref().and_then(Value::as_u64);
        assert_eq!(result, Some(numbers[2]), "{line}");
        compared += 1;
    }
    assert!(compared > 3000, "{compared}");
}
