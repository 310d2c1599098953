//! Claims as hypotheses: checks that a person or another tool says are verified (`{:verified …}`), tested before anything
//! rests on them.
//!
//! **Idea.** First nothing is believed: procedures are covered as if there were no claims, so that each claimed check is looked at
//! like any other. A test in which one fails refutes the claim, and a proof makes it superfluous. What is still open then is asked
//! again with the claims that were neither proved nor refuted, and what they exclude is told as resting on them.
//!
//! A claim with a premise is refuted by a failure under that premise only.
//!
//! Example: of `assert {:verified true} x != 42; if (x == 42) { … }` the first cover finds a test with x = 42; the claim is
//! refuted, and the branch is not called infeasible because of it.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.1, where premises are given by a sound verifier. Here they are
//! hypotheses.
//!
//! **Direction of error.** None: what rests on a claim says so, and names all claims that it may rest on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_cover as cover;
use footpath_cover::{CoverError, CoverOptions, Objective, ObjectiveKind, ProcedureCover};
use footpath_ir::source::{SourceMap, Span};
use footpath_ir::{BlockId, Origin, Place, ProcId, Program, Statement, StatementKind};
use footpath_term::{Op, TermId, Terms};
use footpath_verdict::{Code, Evidence, GoalId, Ledger, Method, Premise, Verdict};
use footpath_verify::ToolRun;

use crate::boogie::{self, Options};

/// How long claims of a procedure are tested before a search is guided by them.
const TESTING: Duration = Duration::from_secs(5);

/// Statements whose checks are claimed to be verified.
type Claims = BTreeSet<Claimed>;

/// A statement of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Claimed {
    procedure: ProcId,
    body: u32,
    block: BlockId,
    statement: u32,
    span: Span,
}

impl Claimed {
    /// Whether it is about this check.
    fn is_of(&self, origin: Origin) -> bool {
        let Place::Failure { block, statement, .. } = origin.place else { return false };
        (origin.procedure, origin.body, block, statement)
            == (self.procedure, self.body, self.block, self.statement)
    }

    /// The place of a run in which it fails.
    fn failure(&self) -> Origin {
        let place = Place::Failure { block: self.block, statement: self.statement, clause: 0 };
        Origin { procedure: self.procedure, body: self.body, place }
    }

    /// The formula under which the check is said to hold.
    fn premise(&self, program: &Program) -> Option<TermId> {
        let body = &program[self.procedure].bodies[self.body as usize];
        body.blocks[self.block.index()].statements[self.statement as usize].premise()
    }

    /// Whether it is said to hold whatever else does.
    fn is_unconditional(&self, program: &Program) -> bool {
        self.premise(program).and_then(|premise| program.terms.as_bool(premise)) == Some(true)
    }

    fn statement_in<'p>(&self, program: &'p mut Program) -> &'p mut Statement {
        let body = &mut program[self.procedure].bodies[self.body as usize];
        &mut body.blocks[self.block.index()].statements[self.statement as usize]
    }
}

/// The covers of procedures as by [`boogie::covers`], where claims count for nothing but what is told as resting on them.
///
/// # Errors
/// If the solver cannot be used, or one of our own invariants broke.
pub fn covers(
    options: &Options,
    program: &Program,
    sources: &SourceMap,
    procedures: &[ProcId],
    stop: &AtomicBool,
    events: &(dyn Fn(cover::Event) + Sync),
) -> Result<(Vec<ProcedureCover>, Vec<String>), CoverError> {
    let claims = claims_in(program, &program.reachable(procedures));
    if claims.is_empty() && !gives_up_runs(program) {
        return boogie::covers(options, program, procedures, stop, events);
    }
    let plain = without(program, &claims);
    let (mut found, mut warnings) = boogie::covers(options, &plain, procedures, stop, events)?;
    if claims.is_empty() {
        return Ok((found, warnings));
    }
    let proved = proved(&claims, &found);
    let refuted = match claims.iter().any(|claim| !claim.is_unconditional(program) && !proved.contains(claim))
    {
        true => refuted(&claims, &tests_of(program, &claims, stop)?),
        false => refuted(&claims, &found),
    };
    tell_refuted(program, &refuted, &mut found, sources);
    let settled: Claims = refuted.union(&proved).copied().collect();
    let open: Claims = claims.difference(&settled).copied().collect();
    let is_open = |objective: &Objective| matches!(objective.verdict, Verdict::Unknown(_));
    let left = |cover: &&ProcedureCover| {
        !claims_of(&open, program, cover.procedure).is_empty() && cover.objectives.iter().any(is_open)
    };
    let left: BTreeSet<ProcId> = found.iter().filter(left).map(|cover| cover.procedure).collect();
    if left.is_empty() {
        return Ok((found, warnings));
    }
    let believing = without(program, &settled);
    let left: Vec<ProcId> = left.into_iter().collect();
    let (under, more) = boogie::covers(options, &believing, &left, stop, &|_| ())?;
    warnings.extend(more);
    for cover in &mut found {
        let believed = under.iter().find(|u| (u.procedure, u.body) == (cover.procedure, cover.body));
        if let Some(believed) = believed {
            let own = claims_of(&open, program, cover.procedure);
            rest(cover, believed, &own, sources);
        }
    }
    Ok((found, warnings))
}

/// A program in which what other tools say of checks in some procedures is said by its own annotations, and remarks about results of
/// which nothing is made. A claim under assumptions is none of them, as no run says whether they hold in it.
pub fn with_results(
    program: &Program,
    sources: &SourceMap,
    procedures: &[ProcId],
    tools: &[ToolRun],
) -> (Program, Vec<String>) {
    let all: Vec<ProcId> = program.reachable(procedures).into_iter().collect();
    let (claims, mut remarks) = footpath_verify::claims(program, &all, sources, tools);
    let (mut annotated, mut terms) = (program.clone(), Terms::layer(program.terms.clone()));
    let holds = terms.bool(true);
    for claim in claims {
        let Origin { procedure, body, place: Place::Failure { block, statement, .. } } = claim.origin else {
            remarks.push(format!("{}: a claim about a postcondition is ignored", claim.by));
            continue;
        };
        let statements = &mut annotated.procedures[procedure.index()].bodies[body as usize].blocks
            [block.index()]
        .statements;
        let said = &mut statements[statement as usize];
        if claim.assumes.is_empty() {
            said.set_premise(Some(holds));
        } else {
            let (place, under) =
                (sources.describe(said.span), claim.assumes.iter().map(|a| &**a).collect::<Vec<&str>>());
            let (by, under) = (&claim.by, under.join(", "));
            remarks.push(format!("{by}: the check at {place} is said to be proved under {under}, of which no run says whether it holds; nothing rests on that"));
        }
    }
    annotated.terms = Arc::new(terms);
    (annotated, remarks)
}

/// A program without the claims that tests refute, and what is to be said of these. Each claim is tested for a few seconds.
///
/// # Errors
/// If the solver cannot be used, or one of our own invariants broke.
pub fn tested(
    program: &Program,
    sources: &SourceMap,
    procedures: &[ProcId],
    stop: &AtomicBool,
) -> Result<(Program, Vec<String>), CoverError> {
    let claims = claims_in(program, &program.reachable(procedures));
    if claims.is_empty() {
        return Ok((program.clone(), Vec::new()));
    }
    let refuted = refuted(&claims, &tests_of(program, &claims, stop)?);
    Ok((without(program, &refuted), say_refuted(&refuted, sources)))
}

/// As [`tested`]; `search` looks for a run to the failure of a check in a program in which it fails only where its claim is wrong. It
/// gets the time that it may take, too.
pub(crate) fn tested_by(
    program: &Program,
    sources: &SourceMap,
    procedures: &[ProcId],
    search: &dyn Fn(&Program, Origin, Duration) -> bool,
) -> (Program, Vec<String>) {
    let claims = claims_in(program, &program.reachable(procedures));
    let contrary = contraries(program, &claims);
    let is_refuted = |claim: &&Claimed| {
        let of_procedure = claims.iter().filter(|other| other.procedure == claim.procedure).count();
        search(&contrary, claim.failure(), TESTING / of_procedure as u32)
    };
    let refuted: Claims = claims.iter().filter(is_refuted).copied().collect();
    (without(program, &refuted), say_refuted(&refuted, sources))
}

fn say_refuted(claims: &Claims, sources: &SourceMap) -> Vec<String> {
    let say = |claim: &Claimed| {
        let place = sources.describe(claim.span);
        format!("claim refuted: the check at {place} can fail, so nothing rests on it")
    };
    claims.iter().map(say).collect()
}

/// Covers of the procedures with claims, in a program in which a claimed check fails only where the claim is wrong.
fn tests_of(
    program: &Program,
    claims: &Claims,
    stop: &AtomicBool,
) -> Result<Vec<ProcedureCover>, CoverError> {
    let options = CoverOptions { timeout: Some(TESTING), explain: false, ..CoverOptions::default() };
    let owners: BTreeSet<ProcId> = claims.iter().map(|claim| claim.procedure).collect();
    let owners: Vec<ProcId> = owners.into_iter().collect();
    cover::cover(&contraries(program, claims), &owners, &options, stop, &|_| ())
}

/// A program in which a claimed check fails only where its premise holds: a failure elsewhere was never denied. An
/// assertion blocks where it fails and its premise holds, so each gets the contrary of its premise.
fn contraries(program: &Program, claims: &Claims) -> Program {
    let mut contrary = without(program, claims);
    let mut terms = Terms::layer(program.terms.clone());
    for claim in claims {
        let premise = claim.premise(program).map(|premise| terms.app(Op::Not, [premise]));
        claim.statement_in(&mut contrary).set_premise(premise);
    }
    contrary.terms = Arc::new(terms);
    contrary
}

/// A program in which nothing is believed that somebody says is verified.
pub fn unbelieved(program: &Program) -> Program {
    let all: Vec<ProcId> = program.ids().collect();
    without(program, &claims_in(program, &all))
}

/// Takes away what somebody says is verified.
pub(crate) fn disbelieve(program: &mut Program) {
    if !claiming(program).is_empty() {
        *program = unbelieved(program);
    }
}

/// The procedures with checks that somebody says are verified.
pub(crate) fn claiming(program: &Program) -> BTreeSet<ProcId> {
    let all: Vec<ProcId> = program.ids().collect();
    claims_in(program, &all).into_iter().map(|claim| claim.procedure).collect()
}

/// A program that says nothing of which runs a search is to give up.
pub fn unguided(program: &Program) -> Program {
    without(program, &Claims::new())
}

/// Whether a program says itself which runs a search gives up, so that what a search does not reach in it may be reached.
pub fn gives_up_runs(program: &Program) -> bool {
    let bodies = program.procedures.iter().flat_map(|procedure| &procedure.bodies);
    let mut statements = bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.statements);
    statements.any(|s| matches!(s.kind, StatementKind::Assume(_)) && s.is_guidance())
}

/// The claims in some procedures.
fn claims_in(program: &Program, procedures: &[ProcId]) -> Claims {
    let mut claims = Claims::new();
    for &procedure in procedures {
        for (index, body) in program[procedure].bodies.iter().enumerate() {
            for block in body.block_ids() {
                for (statement, s) in body[block].statements.iter().enumerate() {
                    if s.premise().is_some_and(|p| program.terms.as_bool(p) != Some(false)) {
                        let (body, statement) = (index as u32, statement as u32);
                        claims.insert(Claimed { procedure, body, block, statement, span: s.span });
                    }
                }
            }
        }
    }
    claims
}

/// Those that runs of a procedure may meet.
fn claims_of(claims: &Claims, program: &Program, procedure: ProcId) -> Claims {
    let all = program.reachable(&[procedure]);
    claims.iter().filter(|claim| all.contains(&claim.procedure)).copied().collect()
}

/// The program without some claims, and without what guides searches by them.
fn without(program: &Program, claims: &Claims) -> Program {
    let mut program = program.clone();
    let bodies = program.procedures.iter_mut().flat_map(|procedure| &mut procedure.bodies);
    for statement in bodies.flat_map(|body| &mut body.blocks).flat_map(|block| &mut block.statements) {
        if let StatementKind::Assume(condition) = statement.kind
            && statement.is_guidance()
        {
            // It stays where it is, as places count statements, and says what to try first, which excludes nothing.
            statement.kind = StatementKind::TryFirst(condition);
        }
    }
    for claim in claims {
        claim.statement_in(&mut program).set_premise(None);
    }
    program
}

/// The failures of a claimed check in covers.
fn failures<'a>(
    claim: &'a Claimed,
    found: &'a [ProcedureCover],
) -> impl Iterator<Item = (ProcId, &'a Verdict)> {
    let all = found.iter().flat_map(|cover| cover.objectives.iter().map(|o| (cover.procedure, o)));
    all.filter(|(_, o)| matches!(o.kind, ObjectiveKind::Failure(_)) && claim.is_of(o.origin))
        .map(|(procedure, o)| (procedure, &o.verdict))
}

/// The claims that a test refutes.
fn refuted(claims: &Claims, found: &[ProcedureCover]) -> Claims {
    let is_refuted = |claim: &&Claimed| failures(claim, found).any(|(_, v)| *v == Verdict::Covered);
    claims.iter().filter(is_refuted).copied().collect()
}

/// The claims that are proved in any run of their procedures.
fn proved(claims: &Claims, found: &[ProcedureCover]) -> Claims {
    let is_proved = |claim: &&Claimed| {
        let own = failures(claim, found).filter(|(procedure, _)| *procedure == claim.procedure);
        let verdicts: Vec<&Verdict> = own.map(|(_, verdict)| verdict).collect();
        !verdicts.is_empty() && verdicts.into_iter().all(|verdict| *verdict == Verdict::Unreachable)
    };
    claims.iter().filter(is_proved).copied().collect()
}

/// Says in each cover which of its tests fail in a check whose claim is refuted.
fn tell_refuted(program: &Program, claims: &Claims, found: &mut [ProcedureCover], sources: &SourceMap) {
    for cover in found {
        let mut notes = Vec::new();
        for objective in cover.objectives.iter().filter(|o| matches!(o.kind, ObjectiveKind::Failure(_))) {
            let claim = claims.iter().find(|claim| claim.is_of(objective.origin));
            if let (Some(claim), Verdict::Covered) = (claim, &objective.verdict) {
                // The test of a check that has a premise may fail where that does not hold.
                let test = objective.tests.first().filter(|_| claim.is_unconditional(program));
                let test = test.map(|t| format!(" by test {}", t + 1)).unwrap_or_default();
                let place = sources.describe(claim.span);
                notes.push(format!(
                    "claim refuted{test}: the check at {place} is said to be verified, but it can fail; nothing rests on it"
                ));
            }
        }
        cover.notes.extend(notes);
    }
}

/// Adds to a cover what holds under the claims: what is open in it, and excluded where they are believed.
fn rest(cover: &mut ProcedureCover, believed: &ProcedureCover, claims: &Claims, sources: &SourceMap) {
    let mut ledger = Ledger::new(cover.objectives.len());
    for (i, objective) in cover.objectives.iter_mut().enumerate() {
        let Verdict::Unknown(reason) = &objective.verdict else { continue };
        let same =
            believed.objectives.iter().find(|o| (o.origin, o.kind) == (objective.origin, objective.kind));
        if same.is_none_or(|same| same.verdict != Verdict::Unreachable) {
            continue;
        }
        let goal = GoalId(i);
        ledger.record(goal, Evidence::open(Method::Cover, reason.clone()));
        let premises = claims.iter().map(|claim| Premise::Claim(claim.span)).collect();
        ledger.record(goal, Evidence::not_reached(Method::Cover, premises));
        if let Verdict::Unknown(reason) = ledger.verdict(goal)
            && reason.code == Code::RestsOnClaims
        {
            let rests_on =
                ledger.settling(goal).map(|e| e.claims().collect::<Vec<Span>>()).unwrap_or_default();
            objective.verdict =
                Verdict::Unknown(Code::RestsOnClaims.with(said(objective, &rests_on, sources)));
        }
    }
}

/// What rests on claims, in words.
fn said(objective: &Objective, claims: &[Span], sources: &SourceMap) -> String {
    let places: Vec<String> = claims.iter().map(|&span| sources.describe(span)).collect();
    let what = match objective.kind {
        ObjectiveKind::Failure(_) => "it holds",
        ObjectiveKind::Statement | ObjectiveKind::Branch => "no run reaches it",
    };
    match &places[..] {
        [one] => format!("{what} if the claim at {one} is right"),
        [front @ .., last] => format!("{what} if the claims at {} and {last} are right", front.join(", ")),
        [] => what.to_owned(),
    }
}
