//! Instrumentation for greybox fuzzing, in LLVM's text: coverage of blocks and branches, operands of comparisons, and the
//! calls that are open.
//!
//! Example: before `%3 = icmp eq i32 %2, 65` stands a call that is told the number of the comparison, that it asks for
//! equality, and both operands as 64 bits; so the fuzzer sees how far `%2` was from 65.
//!
//! **Direction of error.** What is not instrumented, such as comparisons of pointers and vectors, only guides less.

use std::fmt::Write;

use footpath_frontend::llvm::ast::{Body, Inst, InstKind, Module};
use rustc_hash::FxHashMap;

use crate::instrument::splice;

/// The largest number of cases of a `switch` that are compared.
const CASES: usize = 64;

/// The text with the functions that `wanted` names instrumented, and the number of points of each.
pub(super) fn trace<'m>(
    module: &'m Module,
    text: &str,
    wanted: &dyn Fn(&str) -> bool,
) -> (String, FxHashMap<&'m str, usize>) {
    let mut points_of = FxHashMap::default();
    let mut insertions: Vec<(u32, String)> = Vec::new();
    let (mut points, mut sites) = (0, 0);
    for function in &module.functions {
        let Body::Defined(code) = &function.body else { continue };
        // Behind such a call nothing may stand but the return.
        let is_tail = |i: &Inst| source(text, i).contains("musttail ");
        if !wanted(module.text(function.name)) || code.insts.iter().any(is_tail) {
            continue;
        }
        let before = points;
        for ix in code.block_ids() {
            let insts = code.insts_of(ix);
            let is_body = |i: &&Inst| !matches!(i.kind, InstKind::Phi { .. } | InstKind::LandingPad { .. });
            let Some(first) = insts.iter().find(is_body) else { continue };
            if ix.0 == 0 {
                insertions.push((
                    first.start,
                    "%footpath.context = call i64 @footpath_fuzz_enter()\n  ".to_owned(),
                ));
            }
            insertions.push((first.start, format!("call void @footpath_fuzz_block(i32 {points})\n  ")));
            points += 1;
            for inst in insts {
                let call = traced(text, inst, &mut points, &mut sites);
                insertions.extend(call.map(|call| (inst.start, call)));
            }
        }
        points_of.insert(module.text(function.name), points - before);
    }
    let count = format!("\n@footpath_fuzz_point_count = constant i32 {points}\n");
    let declarations = "\ndeclare void @footpath_fuzz_block(i32)\ndeclare void @footpath_fuzz_branch(i32, i1 zeroext)\n\
         declare void @footpath_fuzz_site(i32)\ndeclare i64 @footpath_fuzz_enter()\n\
         declare void @footpath_fuzz_leave(i64)\n\
         declare void @footpath_fuzz_compare(i32, i32, i32, i64, i64)\n\
         declare void @footpath_fuzz_compare_float(i32, i32, double, double)\n";
    (splice(text, insertions) + &count + declarations, points_of)
}

fn source<'t>(text: &'t str, inst: &Inst) -> &'t str {
    &text[inst.start as usize..inst.end as usize]
}

/// What stands before an instruction.
fn traced(text: &str, inst: &Inst, points: &mut usize, sites: &mut usize) -> Option<String> {
    let written = source(text, inst);
    match &inst.kind {
        InstKind::Ret(_) => Some("call void @footpath_fuzz_leave(i64 %footpath.context)\n  ".to_owned()),
        InstKind::CondBr { .. } => {
            let condition = operands(written, "i1 ")?.0;
            let call = format!("call void @footpath_fuzz_branch(i32 {points}, i1 zeroext {condition})\n  ");
            *points += 2;
            Some(call)
        }
        InstKind::Compare { .. } => {
            let call = comparison(written, *sites)?;
            *sites += 1;
            Some(call)
        }
        InstKind::Switch { .. } => {
            let (call, cases) = switch(written, *sites)?;
            *sites += cases;
            Some(call)
        }
        kind if kind.as_call().is_some() && !written.contains("@llvm.") => {
            let call = format!("call void @footpath_fuzz_site(i32 {sites})\n  ");
            *sites += 1;
            Some(call)
        }
        _ => None,
    }
}

/// The first two operands behind a type. Only plain values have no spaces.
fn operands<'t>(written: &'t str, ty: &str) -> Option<(&'t str, &'t str)> {
    let rest = &written[written.find(ty)? + ty.len()..];
    let mut parts = rest.split(',').map(str::trim);
    let plain = |operand: &&str| !operand.is_empty() && !operand.contains([' ', '(']);
    Some((parts.next().filter(plain)?, parts.next().unwrap_or("")))
}

/// The call for a comparison of numbers of at most 64 bits.
fn comparison(written: &str, site: usize) -> Option<String> {
    let is_float = written.contains("fcmp ");
    let rest = &written[written.find("cmp ")? + 4..];
    let words: Vec<&str> = rest.split(' ').collect();
    let at = words.iter().position(|word| is_number_type(word))?;
    let ty = words[at];
    // Flags come before the predicate.
    let asked = asked(words[at.checked_sub(1)?], is_float)?;
    let (left, right) = operands(rest, &format!("{ty} "))?;
    if right.is_empty() || right.contains([' ', '(']) {
        return None;
    }
    let mut out = String::new();
    let mut wide = |side: &str, value: &str, cast: &str, to: &str| {
        if ty == to {
            return value.to_owned();
        }
        let name = format!("%footpath.{side}.{site}");
        let _ = write!(out, "{name} = {cast} {ty} {value} to {to}\n  ");
        name
    };
    let (to, cast) = match ty {
        "float" => ("double", "fpext"),
        "double" => ("double", ""),
        "x86_fp80" => ("double", "fptrunc"),
        _ => ("i64", "zext"),
    };
    let (left, right) = (wide("left", left, cast, to), wide("right", right, cast, to));
    let call = match ty.strip_prefix('i').and_then(|bits| bits.parse::<u32>().ok()) {
        Some(bits) => format!(
            "call void @footpath_fuzz_compare(i32 {site}, i32 {asked}, i32 {bits}, i64 {left}, i64 {right})\n  "
        ),
        None => format!(
            "call void @footpath_fuzz_compare_float(i32 {site}, i32 {asked}, double {left}, double {right})\n  "
        ),
    };
    out.push_str(&call);
    Some(out)
}

fn is_number_type(word: &str) -> bool {
    let bits = word.strip_prefix('i').and_then(|bits| bits.parse::<u32>().ok());
    bits.is_some_and(|bits| (2..=64).contains(&bits)) || matches!(word, "float" | "double" | "x86_fp80")
}

/// The number of a predicate, as the fuzzer has them.
fn asked(predicate: &str, is_float: bool) -> Option<usize> {
    const NUMBERS: [&str; 10] = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"];
    if !is_float {
        return NUMBERS.iter().position(|known| *known == predicate);
    }
    // Ordered or not.
    match predicate.get(1..)? {
        "eq" => Some(0),
        "ne" => Some(1),
        "gt" => Some(6),
        "ge" => Some(7),
        "lt" => Some(8),
        "le" => Some(9),
        _ => None,
    }
}

/// The calls for the cases of a `switch`, and how many there are.
fn switch(written: &str, site: usize) -> Option<(String, usize)> {
    let ty = written.strip_prefix("switch ")?.split(' ').next().filter(|ty| is_number_type(ty))?;
    let bits: u32 = ty.strip_prefix('i')?.parse().ok()?;
    let value = operands(written, &format!("{ty} "))?.0;
    let listed = &written[written.find('[')? + 1..];
    let case = |line: &str| line.trim().strip_prefix(ty)?.trim().split(',').next()?.parse::<i128>().ok();
    let cases: Vec<i128> = listed.lines().filter_map(case).take(CASES).collect();
    let mut out = String::new();
    let wide = if bits == 64 {
        value.to_owned()
    } else {
        let _ = write!(out, "%footpath.value.{site} = zext {ty} {value} to i64\n  ");
        format!("%footpath.value.{site}")
    };
    for (i, case) in cases.iter().enumerate() {
        let case = *case as u64 & (u64::MAX >> (64 - bits));
        let at = site + i;
        let _ = write!(
            out,
            "call void @footpath_fuzz_compare(i32 {at}, i32 0, i32 {bits}, i64 {wide}, i64 {})\n  ",
            case as i64
        );
    }
    Some((out, cases.len().max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_told_with_their_operands() {
        let told = |text: &str| comparison(text, 7);
        assert_eq!(
            told("%3 = icmp slt i8 %2, 65").unwrap(),
            "%footpath.left.7 = zext i8 %2 to i64\n  %footpath.right.7 = zext i8 65 to i64\n  \
             call void @footpath_fuzz_compare(i32 7, i32 8, i32 8, i64 %footpath.left.7, i64 %footpath.right.7)\n  "
        );
        assert_eq!(
            told("%3 = fcmp nnan ogt double %2, 3.5e+00").unwrap(),
            "call void @footpath_fuzz_compare_float(i32 7, i32 6, double %2, double 3.5e+00)\n  "
        );
        assert_eq!(told("%3 = icmp eq i8* %2, null"), None);
        assert_eq!(told("%3 = icmp eq i128 %2, 0"), None);
        assert_eq!(told("%3 = fcmp uno double %2, 0.0"), None);
    }

    #[test]
    fn cases_are_comparisons() {
        let (call, cases) =
            switch("switch i32 %2, label %5 [\n    i32 -1, label %3\n    i32 9, label %4\n  ]", 3).unwrap();
        assert_eq!(cases, 2);
        assert!(call.contains("(i32 3, i32 0, i32 32, i64 %footpath.value.3, i64 4294967295)"), "{call}");
        assert!(call.contains("(i32 4, i32 0, i32 32, i64 %footpath.value.3, i64 9)"), "{call}");
    }
}
