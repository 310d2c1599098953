//! Metadata, and what says which variable lives where.

use super::{check_body, check_reads};
use footpath_frontend::llvm::ast::*;

#[test]
fn nodes_are_read_as_lists_of_fields() {
    let module = check_reads(
        r#"!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, isOptimized: false, emissionKind: FullDebug, enums: !{})
!1 = !DIFile(filename: "a \22b\22.c", directory: "/", checksumkind: CSK_MD5, checksum: "00")
!2 = !{!0, null, i32 5, !"x", ptr @f, %s undef, { i8 } zeroinitializer, !{!1}}
!3 = !DILocalVariable(name: "v", arg: 1, scope: !0, flags: DIFlagArtificial | DIFlagObjectPointer)
!4 = !DIExpression(DW_OP_plus_uconst, 8, DW_OP_LLVM_fragment, 0, 32)
!5 = !DIEnumerator(name: "E", value: 18446744073709551615, isUnsigned: true)
!6 = !DITemplateValueParameter(type: !1, value: i32 7)
!7 = !DINewThing(shape: (1, 2), colour: Red, parts: {!0, !1}, deep: !DIFile(filename: "c"))
!8 = !DILocation(line: 3, column: 5, scope: !9, inlinedAt: !10)
!9 = !DISubrange(count: -1)
!10 = distinct !DILocation(line: 1, scope: !9)
%s = type { i8 }
declare void @f()
"#,
    );
    let node = |number| module.node(module.metadata.numbered(number).expect("read")).with(&module.names);
    assert_eq!(node(0).kind(), "DICompileUnit");
    assert!(node(0).node.distinct);
    assert_eq!(node(0).word("emissionKind"), Some("FullDebug"));
    assert_eq!(node(0).bool("isOptimized"), Some(false));
    assert_eq!(node(1).string("filename"), Some("a \"b\".c"));
    assert_eq!(node(0).node("file"), module.metadata.numbered(1));
    assert_eq!(node(2).node.fields.len(), 8);
    assert_eq!(node(2).node.operand(1), Some(&MdValue::Null));
    assert!(node(2).node.operand(2).and_then(MdValue::as_value).is_some());
    assert_eq!(node(3).field("flags").map(|flags| flags.as_flags().len()), Some(2));
    assert_eq!(node(4).node.operand(1).and_then(MdValue::as_u64), Some(8));
    assert_eq!(node(5).u64("value"), Some(u64::MAX));
    assert_eq!(node(8).u64("line"), Some(3));
    assert_eq!(node(9).i64("count"), Some(-1));
    let unit = module.names.find("llvm.dbg.cu").expect("named");
    assert_eq!(module.metadata.list(unit), [module.metadata.numbered(0).expect("read")]);
}

#[test]
fn debug_records_and_debug_calls_are_the_same() {
    let nodes = "!1 = !DILocalVariable(name: \"x\")\n!2 = !DILocation(line: 7, scope: !1)\n!3 = !DILabel(name: \"l\")\n";
    let old = check_body(
        &format!("{nodes}define void @f(i32* %p, i32 %v)"),
        "  call void @llvm.dbg.declare(metadata i32* %p, metadata !1, metadata !DIExpression()), !dbg !2
  call void @llvm.dbg.value(metadata !DIArgList(i32 %v, i32 %v), metadata !1, metadata !DIExpression()), !dbg !2
  call void @llvm.dbg.value(metadata i32 undef, metadata !1, metadata !DIExpression()), !dbg !2
  call void @llvm.dbg.label(metadata !3), !dbg !2
  ret void, !dbg !2, !loop !1",
    );
    let new = check_body(
        &format!("{nodes}define void @f(ptr %p, i32 %v)"),
        "    #dbg_declare(ptr %p, !1, !DIExpression(), !2)
    #dbg_value(!DIArgList(i32 %v, i32 %v), !1, !DIExpression(), !2)
    #dbg_value(i32 undef, !1, !DIExpression(), !2)
    #dbg_label(!3, !2)
  ret void, !dbg !2, !loop !1",
    );
    let summary = |(_, code): &(Module, Code)| {
        let record = |inst: &Inst| match &inst.kind {
            InstKind::Debug(record) => {
                let values = match &record.value {
                    DebugValue::None => 0,
                    DebugValue::Operand(_) => 1,
                    DebugValue::List(list) => list.len(),
                };
                let InstKind::Debug(record) = &inst.kind else { unreachable!() };
                (record.kind, values, record.variable.is_some(), inst.dbg.is_some())
            }
            _ => (DebugKind::Other, inst.attachments.len(), false, inst.dbg.is_some()),
        };
        code.insts.iter().map(record).collect::<Vec<_>>()
    };
    assert_eq!(summary(&old), summary(&new));
    assert_eq!(summary(&new)[0], (DebugKind::Declare, 1, true, true));
    assert_eq!(summary(&new)[1], (DebugKind::Value, 2, true, true));
    assert_eq!(summary(&new)[4], (DebugKind::Other, 1, false, true));
}
