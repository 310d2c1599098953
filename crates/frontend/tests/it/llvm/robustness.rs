//! Nothing makes the reader panic: not texts that are cut or changed anywhere, not absurd nesting.

use super::read;
use proptest::prelude::*;

/// Something of everything.
const TEXT: &str = r#"source_filename = "a.c"
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
%s = type { i32, [2 x %s*], <{ i8 }> }
@a = dso_local global { i32, i8* } { i32 -5, i8* getelementptr ([2 x i8], [2 x i8]* @b, i64 0, i64 1) }, align 8
@b = private constant [2 x i8] c"\0A\00", section "x", !dbg !0
declare i32 @g(i8* noundef, ...) #0
define dso_local i32 @f(i32 noundef %x, %s* byval(%s) %p) #0 !dbg !1 {
  %y = alloca <4 x float>, i64 2, align 4
  call void @llvm.dbg.declare(metadata <4 x float>* %y, metadata !2, metadata !DIExpression()), !dbg !3
  #dbg_value(i32 %x, !2, !DIExpression(DW_OP_plus, 3), !3)
  %1 = call i32 (i8*, ...) @g(i8* null, x86_fp80 0xK3FFF8000000000000000, double 1.5e3) #1 [ "d"(i32 1) ]
  switch i32 %1, label %z [ i32 1, label %z ]
z:
  %2 = phi i32 [ %x, %z ], [ 1, %0 ]
  %3 = atomicrmw add i32* null, i32 %2 syncscope("x") seq_cst
  ret i32 %3, !dbg !3
}
attributes #0 = { nounwind memory(none) "a"="b" }
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"x", null, !{}}
!1 = distinct !DISubprogram(name: "f", line: 3, flags: A | B, types: {!0})
!2 = !DILocalVariable(name: "x", value: i32 5)
!3 = !DILocation(line: 3, scope: !1)
"#;

#[test]
fn the_text_itself_is_read() {
    assert!(read(TEXT).1.is_empty());
}

#[test]
fn a_text_that_ends_anywhere_is_read() {
    for end in 0..TEXT.len() {
        read(&TEXT[..end]);
    }
}

#[test]
fn absurd_nesting_is_refused() {
    let deep = 100_000;
    let types = format!("@a = global {}i32{} zeroinitializer\n", "[1 x ".repeat(deep), "]".repeat(deep));
    let nodes = format!("!0 = {}null{}\n", "!{".repeat(deep), "}".repeat(deep));
    let lists = format!("!0 = !X(a: {}1{})\n", "{".repeat(deep), "}".repeat(deep));
    let casts = format!("@a = global ptr {}null", "inttoptr (ptr ".repeat(deep));
    let values = format!("@a = global i8 {}", "<i8 ".repeat(deep));
    for text in [types, nodes, lists, casts, values] {
        let (_, diagnostics) = read(&format!("{text}\ndefine void @f() {{\n  ret void\n}}\n"));
        assert!(diagnostics.iter().any(|d| d.message.contains("are nested here")), "{diagnostics:?}");
    }
    // Pointers and function types do not nest, they go on.
    assert!(read(&format!("@a = global i32{} null\n", "*".repeat(deep))).1.is_empty());
    assert!(read(&format!("@a = global i32{} null\n", " ()*".repeat(deep))).1.is_empty());
}

#[test]
fn types_that_contain_themselves_have_no_layout() {
    let (module, diagnostics) =
        read("%a = type { i32, %b }\n%b = type { %a }\n%c = type { ptr, [4 x %d] }\n%d = type {i8}\n");
    assert!(diagnostics.is_empty());
    let size = |name: &str| {
        let ty = module.names.find(name).and_then(|name| module.types.find_named(name)).expect("named");
        module.layouts.size(ty)
    };
    assert_eq!((size("a"), size("b"), size("c")), (None, None, Some(16)));
    let many: String =
        (0..20_000).map(|i| format!("%t{i} = type {{ %t{}, %t{} }}\n", i + 1, i + 1)).collect();
    assert!(read(&many).1.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_text_with_bytes_changed_is_read(changes in prop::collection::vec((0..TEXT.len(), 0..128_u8), 1..6)) {
        let mut bytes = TEXT.as_bytes().to_vec();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        read(&String::from_utf8(bytes).expect("ASCII only"));
    }

    #[test]
    fn a_text_with_pieces_moved_is_read(from in 0..TEXT.len(), length in 0..80_usize, to in 0..TEXT.len()) {
        let piece = &TEXT[from..(from + length).min(TEXT.len())];
        let removed = format!("{}{}", &TEXT[..from], &TEXT[from + piece.len()..]);
        read(&removed);
        read(&format!("{}{piece}{}", &TEXT[..to], &TEXT[to..]));
        read(&format!("{}é\u{0}{piece}", &TEXT[..to]));
    }
}
