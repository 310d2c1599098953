//! Coverage reports of other tools, as they are read.

use std::path::Path;

use footpath_report::coverage_reports::{CoverageReport, lcov, read};

/// The same coverage in every format.
const REPORTS: [(&str, &str); 6] = [
    ("lcov 1", include_str!("../coverage/lcov1.info")),
    ("lcov 2", include_str!("../coverage/lcov2.info")),
    ("gcovr", include_str!("../coverage/gcovr.json")),
    ("gcov", include_str!("../coverage/gcov.json")),
    ("llvm-cov", include_str!("../coverage/llvm.json")),
    ("Cobertura", include_str!("../coverage/cobertura.xml")),
];

fn report(text: &str) -> CoverageReport {
    read(text).unwrap_or_else(|why| panic!("{why}: {text}"))
}

fn error(text: &str) -> String {
    read(text).expect_err("no coverage report").to_string()
}

#[test]
fn all_formats_say_the_same_of_lines() {
    for (format, text) in REPORTS {
        let report = report(text);
        let lines: Vec<(&str, Vec<(u32, u64)>)> = report
            .files
            .iter()
            .map(|(path, file)| {
                (path.to_str().expect("text"), file.lines.iter().map(|(l, n)| (*l, *n)).collect())
            })
            .collect();
        let parse = vec![(3, 6), (4, 4), (5, 0), (12, 0), (14, 0)];
        assert_eq!(lines, [("/build/src/main.c", vec![(1, 1)]), ("/build/src/parse.c", parse)], "{format}");
        let missed: Vec<u32> = report.files[Path::new("/build/src/parse.c")].missed().collect();
        assert_eq!(missed, [5, 12, 14], "{format}");
    }
}

#[test]
fn functions_are_read_where_the_format_has_them() {
    for (format, text) in &REPORTS[..5] {
        let functions = &report(text).files[Path::new("/build/src/parse.c")].functions;
        let functions: Vec<(&str, (u32, u64))> = functions.iter().map(|(n, f)| (n.as_str(), *f)).collect();
        assert_eq!(functions, [("digit", (3, 4)), ("value", (12, 0))], "{format}");
    }
}

#[test]
fn what_is_written_is_read_as_the_same() {
    for (format, text) in REPORTS {
        let report = report(text);
        let written: String = report.files.iter().map(|(path, file)| lcov::records(path, file)).collect();
        assert_eq!(self::report(&written), report, "{format}: {written}");
    }
}

#[test]
fn a_line_around_which_a_region_goes_on_counts_as_that() {
    let file = r#""files": [{"filename": "a.c", "segments":
        [[1, 5, 9, true, true, false], [3, 1, 0, true, true, false], [5, 2, 9, true, false, true], [6, 1, 0, false, false, false]]}]"#;
    let report = report(&format!(r#"{{"type": "llvm.coverage.json.export", "data": [{{{file}}}]}}"#));
    let lines: Vec<(u32, u64)> = report.files[Path::new("a.c")].lines.iter().map(|(l, n)| (*l, *n)).collect();
    // Line 3 begins within the first region, line 5 within the second; on line 6 nothing begins that counts.
    assert_eq!(lines, [(1, 9), (2, 9), (3, 9), (4, 0), (5, 0), (6, 9)]);
}

#[test]
fn what_is_no_report_is_located() {
    for (text, words) in [
        ("", "1:1: the file is empty"),
        ("\n \n", "1:1: the file is empty"),
        ("int main(void) { return 0; }\n", "1:1: this is no coverage report"),
        ("TN:\nDA:3,1\n", "2:1: this `DA` belongs to no file"),
        ("SF:a.c\nDA:3\n", "2:4: this record is cut off"),
        ("SF:a.c\nDA:x,1\n", "2:4: `x` is no number of a line"),
        ("SF:a.c\nDA:3,many\n", "2:4: `many` is no count"),
        ("SF:a.c\nDA:0,1\n", "2:4: 0 is no number of a line"),
        ("SF:a.c\nDA:4294967295,1\n", "2:4: 4294967295 is no number of a line"),
        ("SF:a.c\nBRDA:1,0\n", "2:6: this record is cut off"),
        ("SF:a.c\nDA:3,1\nnonsense\n", "3:1: this is no record"),
        ("{}", "1:1: this JSON is neither"),
        ("[1]", "1:1: this JSON is neither"),
        ("{\"gcovr/format_version\": \"0.6\",\n \"files\": [{}]}", "2:13: missing field `file`"),
        ("{\"gcovr/format_version\": \"0.6\", \"files\": [", "EOF while parsing"),
        (
            r#"{"gcovr/format_version": "0", "files": [{"file": "a.c", "lines": [{"line_number": 0, "count": 1}]}]}"#,
            "a.c: 0 is no number of a line",
        ),
        (
            r#"{"type": "llvm.coverage.json.export", "data": [{"files": [{"filename": "a.c", "segments": [[9, 1, 0, true, true, false], [2, 1, 0, true, true, false]]}]}]}"#,
            "a.c: the segments are not in order, at line 2",
        ),
        (
            r#"{"type": "llvm.coverage.json.export", "data": [{"files": [{"filename": "a.c", "segments": [[1, 1, 0, true, true, false], [4000000000, 1, 0, true, true, false]]}]}]}"#,
            "no number of a line",
        ),
        ("<html>\n</html>", "1:1: `<html>` is no report of Cobertura's"),
        ("<coverage>\n  <class>\n", "1:1: the root node was opened but never closed"),
        ("<coverage>\n  <class/></coverage>", "2:3: this class has no `filename`"),
        (
            "<coverage><class filename='a.c'><lines>\n<line number='1' hits='x'/></lines></class></coverage>",
            "2:1: `hits` of this line is no number",
        ),
    ] {
        let said = error(text);
        assert!(said.contains(words), "{text}: {said}");
    }
}

#[test]
fn hostile_reports_end_in_an_error_or_a_report_and_never_in_a_panic() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(50_000), close.repeat(50_000));
    let entities = "<!DOCTYPE c [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>\
                    <!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;'>]><coverage>&d;</coverage>";
    for text in [
        format!("{{\"gcovr/format_version\": {}}}", deep("[", "]")),
        format!("<coverage>{}</coverage>", deep("<a>", "</a>")),
        entities.to_owned(),
    ] {
        let _ = read(&text);
    }
    // Every report cut anywhere, and with one byte changed.
    for (_, text) in REPORTS {
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            let _ = read(&text[..at]);
            for other in ["0", "-", "\"", "<", ",", "\n", "99999999999999999999"] {
                let _ = read(&format!("{}{other}{}", &text[..at], text.get(at + 1..).unwrap_or_default()));
            }
        }
    }
}
