//! The worked example of PV (Christakis, Müller, Wüstholz, ICSE 2016), Figures 1 to 5: `deposit`.

use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{ProcId, Program, StatementKind};
use footpath_verify::{ConditionCalls, Guide, Point, Premises, conditions, instrument};

/// Figure 2 without the light boxes, over machine integers; `last` is the unverified assertion of Section 2.2.
fn deposit(last: &str) -> String {
    format!(
        "function {{:bvbuiltin \"bvadd\"}} add(bv32, bv32): bv32;\n\
         function {{:bvbuiltin \"bvslt\"}} slt(bv32, bv32): bool;\n\
         function {{:bvbuiltin \"bvsle\"}} sle(bv32, bv32): bool;\n\
         function {{:bvbuiltin \"sign_extend 32\"}} wide(bv32): bv64;\n\
         function {{:bvbuiltin \"bvadd\"}} add64(bv64, bv64): bv64;\n\
         var balance: bv32;\n\
         procedure ReviewDeposit(amount: bv32); modifies balance; ensures sle(old(balance), balance);\n\
         procedure SuggestInvestment(); modifies balance; ensures sle(old(balance), balance);\n\
         procedure Deposit(amount: bv32) modifies balance;\n{{\n\
           var before: bv32; var {{:assumption}} a: bool;\n\
           before := balance;\n\
           if (sle(amount, 0bv32) || slt(50000bv32, amount)) {{\n\
             call ReviewDeposit(amount);\n\
           }} else {{\n\
             a := a && wide(add(balance, amount)) == add64(wide(balance), wide(amount));\n\
             balance := add(balance, amount);\n\
             if (slt(10000bv32, balance)) {{\n\
               call SuggestInvestment();\n\
             }}\n\
           }}\n\
           assert {{:verified a}} sle(before, balance);\n{last}}}\n"
    )
}

fn read(text: &str) -> (Program, ProcId) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("deposit.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
    let program = program.expect("a program");
    let id = program.procedure_named("Deposit").expect("Deposit");
    (program, id)
}

/// The instrumented body from `Deposit` on, a statement a line.
fn guided(text: &str, guide: Guide) -> Vec<String> {
    let (program, id) = read(text);
    let premises = Premises::of(&program);
    let result = instrument(&program, id, 0, &premises, ConditionCalls::Modular, guide);
    let printed = footpath_ir::print(&result);
    let body = printed.split("procedure Deposit").nth(1).expect("Deposit is printed");
    body.lines().map(|l| l.trim().to_owned()).filter(|l| !l.is_empty()).collect()
}

/// The lines with guidance, each with the line before and the line behind it.
fn places(lines: &[String]) -> Vec<[String; 3]> {
    let is_guidance = |l: &String| l.starts_with("assume");
    let at = (0..lines.len()).filter(|i| is_guidance(&lines[*i]));
    at.map(|i| [lines[i - 1].clone(), lines[i].clone(), lines[i + 1].clone()]).collect()
}

#[test]
fn two_assumptions_prune_the_verified_executions() {
    for guide in [Guide::May, Guide::MayMust] {
        let lines = guided(&deposit(""), guide);
        let found = places(&lines);
        assert_eq!(found.len(), 2, "{lines:#?}");
        let then = found.iter().find(|p| p[2].starts_with("call ReviewDeposit")).expect("in the then-branch");
        assert_eq!(then[1], "assume {:guidance} !a;");
        let otherwise = found.iter().find(|p| p[0].starts_with("a := a && ")).expect("behind the assumption");
        assert_eq!(otherwise[1], "assume {:guidance} !a;");
        assert!(otherwise[2].starts_with("balance := "), "{otherwise:?}");
    }
}

#[test]
fn an_unverified_assertion_at_the_end_leaves_a_preference_only() {
    let text = deposit("assert balance != 7bv32;\n");
    assert!(places(&guided(&text, Guide::May)).is_empty(), "every execution is unverified");
    for guide in [Guide::Must, Guide::MayMust] {
        let lines = guided(&text, guide);
        let found = places(&lines);
        assert_eq!(found.len(), 1, "{lines:#?}");
        assert!(found[0][0].starts_with("a := a && "), "{found:?}");
        assert_eq!(found[0][1], "assume {:tryfirst !a} true;");
        assert!(found[0][2].starts_with("balance := "), "{found:?}");
    }
}

#[test]
fn conditions_are_those_of_the_figures() {
    let text = deposit("assert balance != 7bv32;\n");
    let (program, id) = read(&text);
    let premises = Premises::of(&program);
    let found = conditions(&program, id, 0, &premises, ConditionCalls::Modular);
    let body = &program[id].bodies[0];
    let mut seen = 0;
    for block in body.block_ids() {
        for (statement, s) in body[block].statements.iter().enumerate() {
            let (before, behind) = (Point { block, statement }, Point { block, statement: statement + 1 });
            assert!(found.may(before).is_true(), "Figure 4 with an unverified assertion");
            match &s.kind {
                StatementKind::Assert { premise: None, .. } => {
                    assert!(found.must(before).is_true() && found.must(behind).is_false());
                    assert!(found.may(behind).is_false());
                    seen += 1;
                }
                // Figure 5: `!a` everywhere before the assertion with a premise.
                _ => {
                    assert_eq!(found.must(before).iter().count(), 1);
                    assert!(!found.must(before).is_true());
                    seen += 1;
                }
            }
        }
    }
    assert!(seen >= 6, "{seen}");
}

#[test]
fn the_other_configurations_add_nothing_or_forget_everything() {
    assert!(places(&guided(&deposit(""), Guide::Annotations)).is_empty());
    let plain = guided(&deposit(""), Guide::None);
    assert!(!plain.iter().any(|l| l.contains(":verified")), "{plain:#?}");
}
