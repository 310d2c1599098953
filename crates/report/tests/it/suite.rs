//! The reports of `footpath test`. `BLESS=1 cargo test` rewrites the expected texts; review the diff.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::objection::objection;
use footpath_concolic::{Bound as SearchBound, Summary};
use footpath_driver::{
    Class, Contradiction, FailureClass, FunctionResult, FunctionStatistics, Need, Objective, ObjectiveKind,
    Precondition, Run, Spent, Status, Test, TestOutcome, Verdict,
};
use footpath_ir::AssertKind;
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{FileId, SourceFile, SourceMap, Span};
use footpath_report::suite::read::Reader;
use footpath_report::suite::{TestRun, html, json, lcov, markdown, sarif, text};
use footpath_report::text::Style;
use footpath_verdict::{Bound, Code, Method};
use serde_json::Value;

const SOURCE: &str = "\
int half(int *p, int n)
{
    if (n > 9 && n < 5)
        return -1; /* <never> */
    if (n == 7)
        abort();
    while (n > 1000)
        n = next(n);
    return *p / n;
}
";

fn span(part: &str) -> Span {
    let start = SOURCE.find(part).expect("it is there");
    Span::new(FileId(0), start, start + part.len())
}

/// The lines of a block.
fn lines(kind: ObjectiveKind, part: &str) -> Vec<(FileId, u32)> {
    let line = SOURCE[..span(part).start as usize].matches('\n').count() as u32 + 1;
    if kind == ObjectiveKind::Block { vec![(FileId(0), line)] } else { Vec::new() }
}

fn objective(id: &str, kind: ObjectiveKind, part: &str, verdict: Verdict, tests: &[usize]) -> Objective {
    Objective {
        id: id.to_owned(),
        kind,
        class: Class::User,
        span: span(part),
        lines: lines(kind, part),
        settled_by: match &verdict {
            Verdict::Covered => Some(Method::Run),
            Verdict::Doomed | Verdict::Unreachable => Some(Method::LoopSummary),
            Verdict::UnreachableWithin(_) => Some(Method::Cover),
            Verdict::Unknown(_) => None,
        },
        verdict,
        tests: tests.to_vec(),
        assumes_memory_safety: false,
        explanation: Vec::new(),
        confirmed: None,
        failure: None,
        in_baseline: false,
    }
}

fn test(outcome: TestOutcome, covers: &[usize]) -> Test {
    let inputs = "/* one */\nstatic void half_returns(void)\n{\n    half(\"<&>\", 1);\n}\n".to_owned();
    Test {
        outcome,
        covers: covers.to_vec(),
        divergence: None,
        inputs,
        returned: Vec::new(),
        sampled: Vec::new(),
    }
}

fn run() -> Run {
    let mut sources = SourceMap::new();
    sources.add(SourceFile::new("half.c", SOURCE));
    let because = vec![span("n > 9"), span("n < 5")];
    let unknown = Verdict::Unknown(Code::Interrupted.into());
    let division = ObjectiveKind::Check(AssertKind::Division);
    let mut objectives = vec![
        objective("L3", ObjectiveKind::Block, "if (n > 9", Verdict::Covered, &[1, 2]),
        objective("L3.true", ObjectiveKind::Branch(true), "n < 5", Verdict::Unreachable, &[]),
        objective("L3.false", ObjectiveKind::Branch(false), "n < 5", Verdict::Covered, &[1]),
        objective("L4", ObjectiveKind::Block, "return -1;", Verdict::Unreachable, &[]),
        objective(
            "L6",
            ObjectiveKind::Block,
            "abort();",
            Verdict::UnreachableWithin(Bound::Iterations(8)),
            &[],
        ),
        objective("L8", ObjectiveKind::Block, "n = next(n);", unknown, &[]),
        objective("L9", ObjectiveKind::Block, "return *p / n;", Verdict::Covered, &[1]),
        objective("L9.null", ObjectiveKind::Check(AssertKind::Null), "*p", Verdict::Unreachable, &[]),
        objective("L9.division", division, "/ n", Verdict::Covered, &[2]),
        objective("L10", ObjectiveKind::Block, "}", Verdict::Unreachable, &[]),
    ];
    objectives[1].explanation.clone_from(&because);
    objectives[3].explanation = because;
    objectives[4].class = Class::Defensive;
    objectives[9].class = Class::Compiler;
    let failed = TestOutcome::Failed {
        kind: AssertKind::Division,
        span: span("/ n"),
        crash: Some("signal 8".to_owned()),
    };
    let mut tests =
        vec![test(TestOutcome::Returned(Some("3".to_owned())), &[0, 2, 6]), test(failed, &[0, 8])];
    tests[1].divergence = Some("L8".to_owned());
    let analysed = FunctionResult {
        name: "half".to_owned(),
        span: span("half"),
        status: Status::Analysed,
        objectives,
        decisions: Vec::new(),
        tests,
        file: Some(PathBuf::from("/somewhere/half_half.c")),
        uncalled: false,
        bounded: true,
        notes: vec!["a remark".to_owned()],
        exploration: None,
        contradictions: Vec::new(),
        fails_when: None,
        fuzz: None,
        statistics: FunctionStatistics::default(),
    };
    let skipped = FunctionResult {
        name: "skipped".to_owned(),
        status: Status::Skipped("inline assembly is not supported".to_owned()),
        objectives: Vec::new(),
        tests: Vec::new(),
        file: None,
        notes: Vec::new(),
        ..analysed.clone()
    };
    Run {
        files: Vec::new(),
        read: std::collections::BTreeSet::new(),
        missed: None,
        listed: vec![FileId(0)],
        part: None,
        functions: vec![analysed, skipped],
        diagnostics: Vec::new(),
        sources,
        notes: vec!["other.c does not compile and is left out".to_owned()],
        known: Vec::new(),
        left_out: 1,
        compiler: "clang".to_owned(),
        replaced: String::new(),
        sampled: Vec::new(),
        test_files: BTreeMap::new(),
    }
}

fn with<T>(act: impl FnOnce(&TestRun<'_>) -> T) -> T {
    with_run(&run(), act)
}

fn with_run<T>(found: &Run, act: impl FnOnce(&TestRun<'_>) -> T) -> T {
    let command = ["footpath", "test", "half.c"].map(str::to_owned);
    let elapsed = Duration::from_millis(1500);
    act(&TestRun {
        command: &command,
        run: found,
        folder: "out",
        has_tests: true,
        elapsed,
        interrupted: false,
        explores: false,
        whole_program: false,
        report: None,
    })
}

fn check(name: &str, actual: &str) {
    let path = format!("{}/tests/expected/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, actual).expect("the expected text can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{path} differs; BLESS=1 accepts the new text");
}

#[test]
fn the_text_fits_80_columns_and_uses_160() {
    for width in [80, 160] {
        let text = with(|run| text::report(run, &Style { color: false, width, full: false }));
        check(&format!("suite-{width}.txt"), &text);
        for line in text.lines() {
            assert!(line.chars().count() <= width, "too wide: {line}");
        }
        assert!(!text.contains('\x1b'));
    }
    assert!(with(|run| text::report(run, &Style { color: true, width: 80, full: false })).contains('\x1b'));
}

/// The run with many functions of the same kind in two files: a failure that callers can avoid in each, one that they cannot
/// in the first, and a portability guard.
fn many() -> Run {
    let mut run = run();
    run.sources.add(SourceFile::new("other.c", SOURCE));
    let mut one = run.functions[0].clone();
    let needs = |text: &str, always| {
        Some(FailureClass::Latent(Precondition { need: Need::Condition(text.to_owned()), always }))
    };
    one.objectives[7].verdict = Verdict::Covered;
    one.objectives[7].tests = vec![2];
    one.objectives[7].failure = needs("p != NULL", true);
    one.objectives[8].failure = needs("n != 0", false);
    one.objectives[1].class = Class::Portability;
    one.objectives[3].class = Class::Portability;
    run.functions[0].objectives[7].class = Class::Compiler;
    for i in 0..30 {
        let mut next = one.clone();
        next.name = format!("half_{}", i / 2);
        if i % 2 == 1 {
            next.span.file = FileId(1);
        }
        run.functions.push(next);
    }
    run
}

#[test]
fn what_is_said_of_one_pointer_is_said_once() {
    let said = |change: &dyn Fn(&mut FunctionResult)| {
        let mut found = run();
        for i in [7, 8] {
            found.functions[0].objectives[i].verdict = Verdict::Covered;
            found.functions[0].objectives[i].tests = vec![2];
        }
        change(&mut found.functions[0]);
        with_run(&found, |run| text::report(run, &Style { color: false, width: 80, full: true }))
    };
    let needs = |need, always| Some(FailureClass::Latent(Precondition { need, always }));
    let whole = || needs(Need::Whole("list".to_owned()), false);
    let alone =
        said(&|f| (f.objectives[7].failure, f.objectives[8].failure) = (whole(), needs(Need::OfKind, false)));
    assert!(alone.contains("needs a whole structure behind `list`"), "{alone}");
    let beside = said(&|f| {
        let valid = Need::Condition("list != NULL".to_owned());
        (f.objectives[7].failure, f.objectives[8].failure) = (whole(), needs(valid, true));
    });
    assert!(beside.contains("needs `list != NULL`") && !beside.contains("a whole structure"), "{beside}");
    let same = |condition: &str| Some(FailureClass::Manifest { needs: Some(condition.to_owned()) });
    let findings = |conditions: [&str; 2]| {
        let mut found = run();
        let objectives = &mut found.functions[0].objectives;
        for (i, condition) in [4, 7].into_iter().zip(conditions) {
            objectives[i].class = Class::User;
            objectives[i].verdict = Verdict::Covered;
            objectives[i].kind = ObjectiveKind::Check(AssertKind::Null);
            objectives[i].failure = same(condition);
        }
        with_run(&found, markdown::text)
    };
    let one = findings(["list->next != NULL", "list->next != NULL"]);
    assert!(one.contains("`list->next != NULL` does not hold, here and on 1 other line"), "{one}");
    let two = findings(["list->next != NULL", "list->last != NULL"]);
    assert!(two.contains("`list->last != NULL` does not hold.") && !two.contains("other line"), "{two}");
}

#[test]
fn what_does_not_fit_on_a_screen_is_ranked_and_counted() {
    let (found, command) = (many(), ["footpath", "test", "half.c"].map(str::to_owned));
    let run = TestRun {
        command: &command,
        run: &found,
        folder: "out",
        has_tests: true,
        elapsed: Duration::from_millis(1500),
        interrupted: false,
        explores: false,
        whole_program: false,
        report: None,
    };
    for width in [60, 80, 160] {
        let text = text::report(&run, &Style { color: false, width, full: false });
        check(&format!("screen-{width}.txt"), &text);
        assert!(text.lines().count() <= 40, "more than a screen:\n{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= width, "too wide: {line}");
        }
        let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} is missing:\n{text}"));
        assert!(at("fails[division]") < at("infeasible[dead-code]"), "failures come first");
        assert!(at("infeasible[dead-code]") < at("p != NULL") && at("p != NULL") < at("[interrupted]"));
        assert!(text.contains("functions more") && text.contains("--verbose"));
    }
    let whole = text::report(&run, &Style { color: false, width: 80, full: true });
    assert!(whole.contains("half_7 (other.c)") && whole.contains("half_7 (half.c)"), "{whole}");
    assert_eq!(whole.matches("needs `p != NULL`").count(), 30);
    let page = html::page(&run);
    let rows = page.matches("<b>needs</b> <code>p != NULL</code>").count();
    assert_eq!(rows, 2, "functions with the same need on a line share a row");
    assert!(
        page.contains("in <a href=\"#test2-2\">test 2</a> of <code>half_0 (half.c)</code>, <a href="),
        "{page}"
    );
    let report: Value = serde_json::from_str(&json::report(&run).to_text()).expect("JSON");
    assert_eq!(report["totals"]["preconditions"], 60);
    assert_eq!((&report["totals"]["failing"], &report["totals"]["infeasible"]), (&1.into(), &2.into()));
    let objective = &report["functions"][2]["objectives"][7];
    assert_eq!(
        (&objective["failure_class"], &objective["precondition"]["condition"]),
        (&"latent".into(), &"p != NULL".into())
    );
}

#[test]
fn scanners_get_preconditions_as_notes_and_each_result_a_fingerprint_of_its_own() {
    let (found, command) = (many(), ["footpath".to_owned()]);
    let log = |found: &Run| -> Value {
        let run = TestRun {
            command: &command,
            run: found,
            folder: "out",
            has_tests: true,
            elapsed: Duration::ZERO,
            interrupted: false,
            explores: false,
            whole_program: false,
            report: None,
        };
        serde_json::from_str(&sarif::log(&run)).expect("JSON")
    };
    let names = |log: &Value| -> Vec<String> {
        let results = log["runs"][0]["results"].as_array().expect("results");
        results.iter().map(|r| r["partialFingerprints"]["footpath/v3"].to_string()).collect()
    };
    let first = log(&found);
    let results = first["runs"][0]["results"].as_array().expect("results");
    let of_level = |level: &str| results.iter().filter(|r| r["level"] == level).count();
    assert_eq!((of_level("error"), of_level("warning"), of_level("note")), (1, 1, 60));
    let before = names(&first);
    let unique: std::collections::BTreeSet<&String> = before.iter().collect();
    assert_eq!(unique.len(), before.len(), "two results have one fingerprint");
    // A line more at the head of the file moves everything and renames nothing.
    let mut moved = many();
    let mut sources = SourceMap::new();
    sources.add(SourceFile::new("half.c", format!("\n{SOURCE}")));
    sources.add(SourceFile::new("other.c", format!("\n{SOURCE}")));
    moved.sources = sources;
    for function in &mut moved.functions {
        let spans = function.objectives.iter_mut().map(|o| &mut o.span).chain([&mut function.span]);
        spans.for_each(|span| (span.start, span.end) = (span.start + 1, span.end + 1));
    }
    assert_eq!(names(&log(&moved)), before);
}

#[test]
fn the_committed_schema_is_the_one_of_the_structs_and_a_report_fits_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema/test.schema.json");
    let committed = std::fs::read_to_string(path).expect("schema/test.schema.json exists");
    assert_eq!(committed, json::schema(), "cargo xtask gen writes schema/test.schema.json anew");
    let schema: Value = serde_json::from_str(&committed).expect("the schema is JSON");
    let report: Value = with(|run| serde_json::from_str(&json::report(run).to_text()).expect("JSON"));
    assert_eq!(objection(&schema, &schema, &report, "report"), None);
    let half = &report["functions"][0];
    assert_eq!(half["objectives"][1]["explanation"][1]["column"], 18);
    assert_eq!(half["tests"][1]["outcome"]["check"], "division");
    assert_eq!(report["functions"][1]["status"], "skipped");
    assert_eq!(report["totals"]["infeasible"], 2);
    assert_eq!(report["totals"]["defensive"], 1);
    assert_eq!(report["totals"]["blocks"], 4, "neither what the compiler made nor what is spare counts");
}

#[test]
fn the_page_needs_nothing_else_and_its_links_lead_somewhere() {
    let page = with(html::page);
    for word in ["http:", "https:", "<script", "<img", "url(", "@import"] {
        assert!(!page.contains(word), "{word} is on the page");
    }
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("name=\"viewport\""));
    let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|p| p.split('"').next()).collect();
    for target in page.split("href=\"#").skip(1).filter_map(|p| p.split('"').next()) {
        assert!(ids.contains(&target), "{target} is nowhere");
    }
    let unique: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(unique.len(), ids.len(), "an id is there twice");
    for element in
        ["div", "details", "u", "mark", "table", "tr", "td", "ol", "li", "section", "pre", "span", "a"]
    {
        let opened =
            page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "{element}");
    }
}

#[test]
fn the_page_tells_states_apart_by_marks_and_text_is_escaped() {
    let page = with(html::page);
    let row = |line: u32| {
        let start = page.find(&format!("id=\"line0-{line}\"")).expect("a row");
        page[start..].lines().next().unwrap_or_default().to_owned()
    };
    for (line, mark) in [(3, "◐"), (4, "∅"), (6, "◇"), (8, "?"), (9, "✗")] {
        assert!(row(line).contains(mark), "{line}: {}", row(line));
    }
    assert!(row(3).contains("#test0-1"), "a line leads to its test: {}", row(3));
    assert!(row(4).contains("/* &lt;never&gt; */"), "{}", row(4));
    assert!(page.contains("half(&quot;&lt;&amp;&gt;&quot;, 1);"));
    assert!(page.contains("make -C out half_half &amp;&amp; out/half_half 2"));
    assert!(page.contains("for the same reason as <a href=\"#line0-3\">line 3</a>"));
    let findings =
        page.split("<section class=\"findings\">").nth(1).and_then(|rest| rest.split("</section>").next());
    let findings = findings.expect("a list of findings");
    assert!(findings.contains("Shown by <a href=\"#test0-2\">test 2</a>"), "{findings}");
    assert!(
        findings.contains("this rules it out:") || findings.contains("contradict each other:"),
        "{findings}"
    );
}

#[test]
fn scanners_get_failing_checks_and_dead_code_with_its_explanation() {
    let log: Value = with(|run| serde_json::from_str(&sarif::log(run)).expect("JSON"));
    assert_eq!(log["version"], "2.1.0");
    let driver = &log["runs"][0]["tool"]["driver"];
    let results = log["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<&str> = results.iter().filter_map(|r| r["ruleId"].as_str()).collect();
    assert_eq!(rules, ["division", "dead-code"]);
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(driver["rules"][index]["id"], result["ruleId"]);
    }
    assert_eq!(results[1]["relatedLocations"].as_array().map(Vec::len), Some(2));
    let text = log.to_string();
    for cwe in ["cwe-561", "cwe-570", "cwe-571", "cwe-476", "cwe-125", "cwe-787", "cwe-369"] {
        assert!(text.contains(cwe), "{cwe}");
    }
}

#[test]
fn coverage_viewers_get_lines_and_branches() {
    let info = with(lcov::info);
    let wanted =
        ["FN:1,half", "FNDA:2,half", "BRDA:3,0,0,0", "BRDA:3,0,1,1", "DA:3,2", "DA:4,0", "DA:8,0", "DA:9,1"];
    for record in wanted {
        assert!(info.lines().any(|l| l == record), "{record} is missing:\n{info}");
    }
    assert!(!info.contains("DA:10,"), "the compiler's blocks are no lines:\n{info}");
    assert!(info.ends_with("end_of_record\n"));
}

#[test]
fn a_report_that_is_read_back_gives_every_format_as_it_was() {
    let mut found = run();
    let function = &mut found.functions[0];
    let mut summary = Summary { runs: 7, exhausted: true, frontier: 2, ..Summary::default() };
    summary.classes.failing = 3;
    summary.bounds.hit(SearchBound::Steps);
    function.exploration = Some(summary);
    function.statistics.strategies =
        vec![Spent { strategy: "first search".into(), time: Duration::from_millis(1250), claims: 4 }];
    for (i, need) in [(8, Need::Condition("n != 0".to_owned())), (9, Need::Whole("list->next".to_owned()))] {
        function.objectives[i].failure = Some(FailureClass::Latent(Precondition { need, always: true }));
    }
    function.objectives[7].failure = Some(FailureClass::Caused("caller".to_owned()));
    function.objectives[0].lines = vec![(FileId(0), 3), (FileId(0), 4), (FileId(0), 9)];
    function.objectives[6].confirmed = Some(false);
    function.objectives[3].assumes_memory_safety = true;
    function.contradictions = vec![Contradiction {
        place: "L4".to_owned(),
        span: span("return -1;"),
        run: Method::OtherTest,
        test: None,
        proof: Method::Cover,
    }];
    // A place in a text that is gone when the report is read.
    let gone = found.sources.add(SourceFile::new("/tmp/gone.ll", "define\n  void @f()\n"));
    let at = Span { file: gone, start: 9, end: 13 };
    found.diagnostics = vec![Diagnostic::warning("llvm::unknown", at, "this is not known").with_help("ask")];
    with(|other| {
        let before = TestRun { run: &found, ..*other };
        let text = json::report(&before).to_text();
        let open = |path: &Path| (path == Path::new("half.c")).then(|| SOURCE.to_owned());
        let mut reader = Reader::new(&open);
        let loaded = reader.read(&text).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!((&loaded.command[..], loaded.elapsed), (before.command, before.elapsed));
        let again = Run { sources: reader.into_sources(), ..loaded.run };
        let after = TestRun { run: &again, ..before };
        assert_eq!(json::report(&after).to_text(), text);
        for emitter in [html::page, sarif::log, lcov::info] {
            assert_eq!(emitter(&after), emitter(&before));
        }
        let style = Style { color: false, width: 80, full: true };
        assert_eq!(text::report(&after, &style), text::report(&before, &style));
        let other = |_: &Path| Some(SOURCE.replace('n', "m"));
        let why = Reader::new(&other).read(&text).err().map(|why| why.why);
        assert_eq!(why.as_deref(), Some("half.c has changed since this report was made"));
    });
}
