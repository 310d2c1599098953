//! Each construct in a few lines, in both dialects of pointers.

use super::{check_body, check_error, check_reads};
use footpath_frontend::llvm::ast::*;

fn int(module: &Module, value: Value) -> i64 {
    match value {
        Value::Const(id) => match module.constant(id).kind {
            ConstKind::Int(value) => value,
            ref other => panic!("{other:?}"),
        },
        Value::Local(local) => panic!("{local:?}"),
    }
}

#[test]
fn entities_around_functions_are_read() {
    let module = check_reads(
        r#"; ModuleID = 'a.c'
source_filename = "a.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
module asm ".globl x"
$comdat = comdat any
%struct.s = type { i32, %struct.s*, [3 x i8] }
%opaque = type opaque
%0 = type <{ i8, i32 }>
@a = dso_local global i32 5, align 4
@b = external dso_local local_unnamed_addr global %struct.s, align 8
@.str = private unnamed_addr constant [4 x i8] c"a\0A\22\00", align 1
@c = internal thread_local(localexec) global i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i64 0, i64 1), section ".data", comdat($comdat), align 8, !dbg !0
@d = hidden alias i32, i32* @a
@e = ifunc void (), void ()* ()* @resolver
@f = addrspace(3) externally_initialized global <2 x float> <float 1.0, float 0x3FF8000000000000>, no_sanitize_address
@0 = private constant i128 -170141183460469231731687303715884105728
declare !dbg !1 i32 @printf(i8* noundef, ...) local_unnamed_addr #0
declare void ()* @resolver() nounwind
attributes #0 = { nounwind "frame-pointer"="all" memory(argmem: read) alignstack=8 uwtable(sync) new_thing(3, 4) }
!0 = !{}
!1 = !{}
^0 = module: (path: "a.o", hash: (0, 0, 0, 0, 0))
^1 = blockcount: 12
"#,
    );
    assert_eq!(module.globals.len(), 6);
    assert_eq!(module.aliases.iter().map(|alias| alias.is_ifunc).collect::<Vec<_>>(), [false, true]);
    let string = &module.globals[2];
    assert!(string.is_constant && string.unnamed_addr && string.linkage == Linkage::Private);
    let bytes = string.init.map(|id| module.constant(id).kind.clone());
    assert_eq!(bytes, Some(ConstKind::Bytes(Box::from(*b"a\n\"\0"))));
    assert!(module.globals[3].thread_local && module.globals[3].attachments.len() == 1);
    let printf = module.function_named("printf").expect("declared");
    assert!(printf.varargs && printf.dbg.is_some());
    assert_eq!(module.attr(printf.attrs, "nounwind"), Some(&AttrValue::None));
    assert_eq!(module.attr(printf.attrs, "alignstack"), Some(&AttrValue::Int(8)));
    assert!(matches!(module.attr(printf.attrs, "frame-pointer"), Some(AttrValue::String(_))));
    assert!(matches!(module.attr(printf.attrs, "memory"), Some(AttrValue::Text(_))));
}

#[test]
fn both_dialects_of_pointers_give_the_same_instructions() {
    let (old, old_code) = check_body(
        "%s = type { i32, [2 x i8] }\ndefine i32 @f(%s* byval(%s) align 8 %x, i32 ()* %g)",
        "  %p = alloca i32, align 4
  %q = getelementptr inbounds %s, %s* %x, i64 0, i32 1, i64 1
  %c = load volatile i8, i8* %q, align 1
  store i32 5, i32* %p, align 4
  %i = ptrtoint i32* %p to i64
  %r = call i32 %g()
  ret i32 %r",
    );
    let (new, new_code) = check_body(
        "%s = type { i32, [2 x i8] }\ndefine i32 @f(ptr byval(%s) align 8 %x, ptr %g)",
        "  %p = alloca i32, align 4
  %q = getelementptr inbounds nuw %s, ptr %x, i64 0, i32 1, i64 1
  %c = load volatile i8, ptr %q, align 1
  store i32 5, ptr %p, align 4
  %i = ptrtoint ptr %p to i64
  %r = call i32 %g()
  ret i32 %r",
    );
    let shape = |code: &Code| {
        let kinds = code.insts.iter().map(|inst| std::mem::discriminant(&inst.kind));
        kinds.zip(code.insts.iter().map(|inst| inst.result)).collect::<Vec<_>>()
    };
    assert_eq!(shape(&old_code), shape(&new_code));
    assert_eq!(new_code.locals[2].ty, TypeId::PTR);
    let TypeKind::Ptr { pointee: Some(pointee), .. } = *old.type_kind(old_code.locals[2].ty) else {
        panic!()
    };
    assert_eq!(old.types.int_bits(pointee), Some(32));
    let params = &new.function_named("f").expect("defined").params;
    assert!(matches!(new.attr(params[0].attrs, "byval"), Some(AttrValue::Type(_))));
    assert_eq!(new.attr(params[0].attrs, "align"), Some(&AttrValue::Int(8)));
}

#[test]
fn unnamed_values_and_blocks_share_their_numbers() {
    let (_, code) = check_body(
        "define i32 @f(i32 %0, i32 %1)",
        "  %3 = icmp eq i32 %0, %1
  br i1 %3, label %4, label %6

4:                                                ; preds = %2
  %5 = add nsw i32 %0, 1
  br label %6

6:                                                ; preds = %4, %2
  %7 = phi i32 [ %5, %4 ], [ %0, %2 ]
  ret i32 %7",
    );
    let names: Vec<LocalName> = code.blocks.iter().map(|block| block.name).collect();
    assert_eq!(names, [2, 4, 6].map(LocalName::Number));
    assert_eq!(code.terminator(BlockIx(0)).kind.successors(), [BlockIx(1), BlockIx(2)]);
    let InstKind::Phi { incoming, .. } = &code.insts_of(BlockIx(2))[0].kind else { panic!() };
    assert_eq!(incoming.iter().map(|(_, from)| *from).collect::<Vec<_>>(), [BlockIx(1), BlockIx(0)]);
}

#[test]
fn arithmetic_keeps_the_flags_that_mean_something() {
    let (_, code) = check_body(
        "define void @f(i32 %a, float %x, <4 x i32> %v)",
        "  %1 = add nuw nsw i32 %a, -1
  %2 = lshr exact i32 %1, 3
  %3 = or disjoint i32 %2, 1
  %4 = zext nneg i32 %3 to i64
  %5 = trunc nuw nsw i64 %4 to i8
  %6 = fadd nnan ninf float %x, 1.0
  %7 = fneg fast float %6
  %8 = icmp samesign ult i32 %3, 9
  %9 = fcmp fast olt float %7, %x
  %10 = shl <4 x i32> %v, splat (i32 1)
  %11 = icmp eq <4 x i32> %10, zeroinitializer
  %12 = select <4 x i1> %11, <4 x i32> %10, <4 x i32> undef
  %13 = freeze <4 x i32> %12
  %14 = add newflag i32 %a, 1
  ret void",
    );
    let flags: Vec<Flags> = code
        .insts
        .iter()
        .filter_map(|inst| match inst.kind {
            InstKind::Binary { flags, .. }
            | InstKind::Cast { flags, .. }
            | InstKind::Compare { flags, .. }
            | InstKind::FNeg { flags, .. } => Some(flags),
            _ => None,
        })
        .collect();
    assert_eq!(flags[0], Flags::NUW.with(Flags::NSW));
    assert_eq!(flags[1..4], [Flags::EXACT, Flags::DISJOINT, Flags::NNEG]);
    assert_eq!(flags[5..9], [Flags::FAST, Flags::FAST, Flags::SAMESIGN, Flags::FAST]);
    assert_eq!(flags[11], Flags::NONE);
}

#[test]
fn vectors_and_aggregates_are_taken_apart() {
    check_body(
        "define i32 @f({ i32, { i8, i16 } } %a, <vscale x 4 x i32> %n, <4 x float> %v, <4 x ptr> %p)",
        "  %1 = extractvalue { i32, { i8, i16 } } %a, 1, 1
  %2 = insertvalue { i32, { i8, i16 } } %a, i16 %1, 1, 1
  %3 = extractelement <4 x float> %v, i64 2
  %4 = insertelement <4 x float> poison, float %3, i32 0
  %5 = shufflevector <4 x float> %4, <4 x float> %v, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %6 = fadd <8 x float> %5, %5
  %7 = getelementptr i8, <4 x ptr> %p, i64 1
  %8 = extractelement <4 x ptr> %7, i32 0
  %9 = load i32, ptr %8, align 4, !range !0
  ret i32 %9",
    );
}

#[test]
fn memory_accesses_keep_their_orderings() {
    let (module, code) = check_body(
        "define i32 @f(ptr %p, ptr addrspace(1) %q)",
        r#"  %1 = load atomic volatile i32, ptr %p syncscope("singlethread") acquire, align 4
  store atomic i32 %1, ptr %p seq_cst, align 4
  fence syncscope("agent") release
  %2 = cmpxchg weak volatile ptr %p, i32 0, i32 1 acq_rel monotonic, align 4
  %3 = extractvalue { i32, i1 } %2, 1
  %4 = atomicrmw volatile umax ptr %p, i32 5 syncscope("agent") monotonic, align 4
  %5 = alloca [4 x i32], i32 %4, align 16, addrspace(5)
  %6 = addrspacecast ptr addrspace(1) %q to ptr
  %7 = alloca inalloca i32
  ret i32 %4"#,
    );
    let InstKind::Load(load) = &code.insts[0].kind else { panic!() };
    let atomic = load.atomic.expect("atomic");
    assert_eq!((atomic.ordering, load.volatile, load.align), (Ordering::Acquire, true, 4));
    assert_eq!(atomic.scope.map(|scope| module.text(scope)), Some("singlethread"));
    let InstKind::CmpXchg { weak, success, failure, .. } = &code.insts[3].kind else { panic!() };
    assert!(*weak && success.ordering == Ordering::AcqRel && *failure == Ordering::Monotonic);
    assert!(matches!(module.type_kind(code.locals[8].ty), TypeKind::Ptr { addrspace: 0, .. }));
}

#[test]
fn calls_are_read_with_everything_around_them() {
    let (module, code) = check_body(
        "declare void @g(...)\ndeclare metadata @m()\ndefine i64 @f(ptr %p, i32 %x)",
        r#"  %r = tail call fastcc noundef zeroext i8 @h(i32 noundef %x, ptr nonnull align 8 dereferenceable(16) %p) #1
  call void (...) @g(i32 1, ptr byval([2 x i32]) align 4 %p) nounwind readnone [ "deopt"(i32 %x, ptr %p), "tag"() ]
  %a = call { i32, i32 } asm sideeffect inteldialect "cpuid\0A", "={ax},={bx},0,~{flags}"(i32 %x), !srcloc !0
  %s = call ptr @llvm.stacksave.p0()
  %i = musttail call cc 10 i64 %p(i32 zeroext %x)
  call addrspace(1) void @k(metadata !"round.tonearest", metadata i32 %x, i1 true)
  %q = call nnan float @llvm.fabs.f32(float nofpclass(nan inf) 1.0)
  %n = notail call range(i64 0, 5) i64 @l()
  ret i64 %i"#,
    );
    let calls: Vec<&Call> = code.insts.iter().filter_map(|inst| inst.kind.as_call()).collect();
    assert_eq!(calls[0].calling_convention.map(|cc| module.text(cc)), Some("fastcc"));
    assert_eq!(module.attr(calls[0].args[1].1, "dereferenceable"), Some(&AttrValue::Int(16)));
    assert!(calls[1].function_type.is_some() && calls[1].bundles.len() == 2);
    let Callee::Asm(asm) = calls[2].callee else { panic!() };
    assert!(asm.side_effect);
    assert_eq!(module.text(asm.template), "cpuid\n");
    assert_eq!(code.insts[2].attachments.len(), 1);
    assert_eq!(calls[4].tail, Tail::MustTail);
    assert!(matches!(calls[4].callee, Callee::Value(Value::Local(LocalId(0)))));
    assert_eq!(calls[6].flags, Flags::FAST);
}

#[test]
fn terminators_and_exceptions_are_read() {
    let (module, code) = check_body(
        "define void @f(i32 %x, ptr %p) personality ptr @__gxx_personality_v0",
        r#"entry:
  switch i32 %x, label %d [
    i32 1, label %a
    i32 -2, label %b
  ]
a:
  indirectbr ptr %p, [label %b, label %d]
b:
  invoke void @g(i32 %x) #3
          to label %d unwind label %lpad, !dbg !0
d:
  callbr void asm "", "r,!i"(i32 %x) to label %e [label %a]
e:
  unreachable
lpad:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr @typeinfo
          filter [1 x ptr] [ptr @typeinfo]
  resume { ptr, i32 } %l
dispatch:
  %cs = catchswitch within none [label %handler] unwind to caller
handler:
  %cp = catchpad within %cs [ptr null, i32 64, ptr null]
  catchret from %cp to label %d
clean:
  %cl = cleanuppad within none []
  cleanupret from %cl unwind label %dispatch"#,
    );
    assert_eq!(code.blocks.len(), 9);
    let InstKind::Switch { cases, default, .. } = &code.insts[0].kind else { panic!() };
    assert_eq!(int(&module, Value::Const(cases[1].0)), -2);
    assert_eq!((cases[1].1, *default), (BlockIx(2), BlockIx(3)));
    let InstKind::LandingPad { cleanup: true, clauses, .. } = &code.insts_of(BlockIx(5))[0].kind else {
        panic!()
    };
    assert!(matches!(clauses[..], [Clause::Catch(_), Clause::Filter(_)]));
    assert!(module.function_named("f").is_some_and(|f| f.personality.is_some()));
}

#[test]
fn constants_of_all_kinds_are_read() {
    let module = check_reads(
        r#"%s = type { i32, ptr }
@a = global %s { i32 1, ptr @b }
@b = global [2 x %s] [%s { i32 poison, ptr null }, %s zeroinitializer]
@c = global <{ i8, i64 }> <{ i8 -1, i64 9223372036854775808 }>
@d = global ptr getelementptr inbounds nuw inrange(-16, 8) (i8, ptr @a, i64 add nuw (i64 ptrtoint (ptr @a to i64), i64 1))
@e = global ptr blockaddress(@f, %x)
@g = global i64 sub (i64 ptrtoint (ptr dso_local_equivalent @f to i64), i64 ptrtoint (ptr no_cfi @f to i64))
@h = global i1 icmp eq (ptr @a, ptr @b)
@i = global i32 select (i1 icmp ne (ptr @a, ptr @b), i32 1, i32 trunc (i64 5 to i32))
@j = global x86_fp80 0xK3FFF8000000000000000
@k = global half 0xH3C00
@l = global <4 x i32> splat (i32 7)
@m = global [0 x i8] undef
@n = global ptr addrspace(1) addrspacecast (ptr @a to ptr addrspace(1))
@o = global i128 u0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
@p = global ptr ptrauth (ptr @a, i32 0, i64 1)
@q = global i8 extractelement (<2 x i8> <i8 1, i8 2>, i32 0)
@"with \22quotes\22" = global double 1.5e+10
define void @f() {
x:
  ret void
}
"#,
    );
    let init = |name: &str| {
        let name = module.names.find(name).expect("named");
        let global = module.global(name).expect("defined");
        module.constant(global.init.expect("initialised")).kind.clone()
    };
    let ConstKind::Aggregate(fields) = init("c") else { panic!() };
    assert_eq!(module.constant(fields[0]).kind, ConstKind::Int(-1));
    assert!(matches!(module.constant(fields[1]).kind, ConstKind::BigInt(_)));
    let ConstKind::Expr(gep) = init("d") else { panic!() };
    let InstKind::Gep(gep) = *gep else { panic!() };
    assert!(gep.flags.has(Flags::INBOUNDS.with(Flags::NUW)));
    assert!(matches!(init("e"), ConstKind::BlockAddress { block: LocalName::Named(_), .. }));
    assert_eq!(init("k"), ConstKind::Float(0x3c00));
    assert!(matches!(init("l"), ConstKind::Splat(_)));
    assert_eq!(init("with \"quotes\""), ConstKind::Float(u128::from(1.5e10_f64.to_bits())));
}

#[test]
fn an_error_costs_its_function_and_nothing_else() {
    let text =
        "define i32 @a() {\n  %x = frobnicate i32 1\n  ret i32 %x\n}\n\ndefine void @b() {\n  ret void\n}\n";
    let module = check_error(text, 2, "unknown instruction `frobnicate`");
    assert!(matches!(module.function_named("a").expect("kept").body, Body::Unreadable(_)));
    assert!(module.function_named("b").expect("read").body.code().is_some());
    let text = "@a = glbal i32 5\n@b = global i32 5\n";
    assert_eq!(check_error(text, 1, "expected `global` or `constant`").globals.len(), 1);
    let text = "define i32 @a(\ndefine void @b() {\n  ret void\n}\n";
    assert!(check_error(text, 2, "expected a type").function_named("b").is_some());
}

#[test]
fn what_is_never_defined_or_defined_twice_is_an_error() {
    check_error("define i32 @f() {\n  ret i32 %x\n}\n", 2, "`%x` is never defined");
    check_error("define void @f() {\n  br label %x\n}\n", 2, "`%x` is never defined");
    check_error("define void @f() {\n  %x = add i32 1, 1\n  %x = add i32 1, 1\n  ret void\n}\n", 3, "twice");
    check_error("define void @f() {\na:\n  ret void\na:\n  ret void\n}\n", 4, "twice");
    check_error("@a = global i32 1\n@a = global i32 1\n", 2, "twice");
    check_error("@a = global i32 %x\n", 1, "expected a constant");
    check_error(
        "define void @f() {\n  store i32 1, ptr null, align 4, what 5\n  ret void\n}\n",
        2,
        "expected `align`",
    );
}

#[test]
fn values_of_unnamed_structures_are_described() {
    for ty in ["{ x86_fp80, x86_fp80 }", "{ [2 x i8], double }", "{ %s, i8 }", "{ <2 x float> }"] {
        check_reads(&format!(
            "%s = type {{ i8 }}\ndeclare void @llvm.dbg.declare(metadata, metadata, metadata)\n\
             define void @f() {{\n  %x = alloca {ty}, align 16\n  \
             call void @llvm.dbg.declare(metadata {ty}* %x, metadata !0, metadata !DIExpression())\n  \
             ret void\n}}\n!0 = !{{}}\n"
        ));
    }
}
