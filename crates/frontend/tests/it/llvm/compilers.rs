//! What the installed compilers write is read, whichever way they are called.

use super::check_reads;
use footpath_frontend::llvm::ast::*;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const C: &str = r#"
struct s { int a; struct s *next; char c[3]; unsigned b : 3; double d; };
struct __attribute__((packed)) p { char c; long long l; };
static struct s global = {1, &global, "ab", 2, 0.5};
struct p packed = {1, 2};
int (*pointer)(int);
enum colour { RED, GREEN } tint = GREEN;
int sum(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  int r = 0;
  for (int i = 0; i < n; i++) r += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return r;
}
double mixed(double x, float y, long double z) { return x * 1.5 + y - z; }
int choose(int x) {
  switch (x) { case 1: return 2; case 5: case 7: return 9; default: return sum(2, x, x); }
}
void *jump(int i) { static void *t[] = {&&a, &&b}; goto *t[i]; a: return 0; b: return t; }
int atomic(int *p, int *q) {
  __atomic_fetch_add(p, 1, 5);
  int e = 3;
  return __atomic_compare_exchange_n(q, &e, 4, 0, 5, 5);
}
void assembly(int *x) { __asm__ volatile("incl %0" : "+m"(*x)); }
struct s copy(struct s x) { x.a++; x.b = 5; return x; }
void vector(float *a, float *b, int n) { for (int i = 0; i < n; i++) a[i] = a[i] * b[i] + 1; }
int main(void) { return pointer ? pointer(3) : (int)mixed(1, 2, 3) + choose(5) + (global.a && tint); }
"#;

/// Compiles `source` to LLVM IR; nothing if the compiler is not installed or does not know the arguments.
fn compile(compiler: &str, args: &[&str], name: &str, source: &str) -> Option<String> {
    let folder = std::env::temp_dir().join(format!("footpath-llvm-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let input: PathBuf = folder.join(name);
    let output = folder.join("out.ll");
    std::fs::write(&input, source).expect("the temporary folder can be written");
    let done = Command::new(compiler)
        .args(args)
        .arg("-o")
        .args([&output, &input])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let text = done.then(|| std::fs::read_to_string(&output).expect("the compiler wrote its output"));
    _ = std::fs::remove_dir_all(&folder);
    text
}

#[test]
fn clang_is_read_with_any_target_and_optimisation() {
    let flags: &[&[&str]] = &[
        &["-O0", "-g", "-Xclang", "-disable-O0-optnone"],
        &["-O2", "-g"],
        &["-O0"],
        &["-O0", "-g", "-m32"],
        &["-O1", "-g", "--target=aarch64-linux-gnu"],
        &["-O1", "-g", "--target=s390x-linux-gnu"],
        &["-O1", "-flto=thin"],
        &["-O0", "-g", "-fsanitize=undefined", "-fprofile-instr-generate", "-fcoverage-mapping"],
    ];
    for (index, flags) in flags.iter().enumerate() {
        let args = [&["-w", "-S", "-emit-llvm"], *flags].concat();
        let Some(text) = compile("clang", &args, &format!("c{index}.c"), C) else { continue };
        let module = check_reads(&text);
        assert!(module.function_named("main").is_some_and(|main| main.body.code().is_some()), "{flags:?}");
        for global in &module.globals {
            assert!(module.layouts.get(global.ty).is_some(), "{flags:?}: {}", module.text(global.name));
        }
    }
}

#[test]
fn layouts_are_those_of_the_abi() {
    let offsets = |flag: &str| {
        let args = ["-w", "-S", "-emit-llvm", "-O0", flag];
        let module = check_reads(&compile("clang", &args, &format!("layout{flag}.c"), C)?);
        let layout = |name: &str| {
            let ty = module.types.find_named(module.names.find(name)?)?;
            module.layouts.get(ty).map(|layout| (layout.size, layout.offsets.to_vec()))
        };
        Some((layout("struct.s")?, layout("struct.p")?))
    };
    if let Some((s, p)) = offsets("-m64") {
        assert_eq!(s, (32, vec![0, 8, 16, 19, 24]));
        assert_eq!(p, (9, vec![0, 1]));
    }
    if let Some((s, p)) = offsets("-m32") {
        assert_eq!(s, (20, vec![0, 4, 8, 11, 12]));
        assert_eq!(p, (9, vec![0, 1]));
    }
}

#[test]
fn clang_is_read_with_exceptions_of_both_kinds() {
    let source = "struct X { X(); ~X(); }; int g(int);
int f() { try { X x; return g(1); } catch (int e) { return e; } catch (...) { throw; } }";
    for target in ["x86_64-linux-gnu", "x86_64-pc-windows-msvc"] {
        let target = format!("--target={target}");
        let args = ["-w", "-S", "-emit-llvm", "-g", "-fexceptions", "-fcxx-exceptions", &target];
        let Some(text) = compile("clang++", &args, &format!("x{}.cpp", target.len()), source) else {
            continue;
        };
        let module = check_reads(&text);
        assert!(module.functions.iter().any(|function| function.personality.is_some()));
    }
}

#[test]
fn rustc_is_read_with_its_debug_records() {
    let source = r#"
pub enum E { A(u8), B { x: i64, s: String }, C }
pub fn f(v: &[i32], e: &E) -> Result<i64, String> {
    let mut total = 0i32;
    for x in v { total = total.checked_add(*x).ok_or("overflow")?; }
    match e { E::A(n) => Ok(i64::from(*n)), E::B { x, s } => Ok(*x + s.len() as i64), E::C => Err(format!("{v:?}")) }
}
"#;
    for level in ["0", "2"] {
        let level = format!("opt-level={level}");
        let args = ["--edition=2021", "--crate-type=lib", "--emit=llvm-ir", "-Cdebuginfo=2", "-C", &level];
        let name = format!("r{}.rs", &level[10..]);
        let Some(text) = compile("rustc", &args, &name, source) else { continue };
        let module = check_reads(&text);
        let insts = module.functions.iter().filter_map(|f| f.body.code()).flat_map(|code| &code.insts);
        assert!(insts.into_iter().any(|inst| matches!(inst.kind, InstKind::Debug(_))));
    }
}
