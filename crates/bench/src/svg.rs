//! Line plots as SVG, without a dependency: linear or logarithmic axes, ticks, a grid, a legend.
//!
//! A plot carries its own background and two sets of colours; which one is used follows the reader's setting
//! for light or dark. Series differ in colour, in dash pattern and in marker, so that a plot can be read in
//! grey too. A point that is only a lower bound has a hollow marker.

use std::fmt::Write;

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Its heading.
    pub title: String,
    /// What the horizontal axis shows.
    pub x: String,
    /// What the vertical axis shows.
    pub y: String,
    /// Whether the vertical axis is logarithmic. Values that are not positive are left out then.
    pub log: bool,
    /// Whether the horizontal axis is.
    pub log_x: bool,
    /// The lines.
    pub series: Vec<Series>,
}

/// A line of a plot.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// A point of a line.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Where it is.
    pub x: f64,
    /// How high it is.
    pub y: f64,
    /// Whether the true value may be higher.
    pub at_least: bool,
}

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 590.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 404.0;

/// On light and on dark ground; neighbours differ in brightness too.
const COLOURS: [(&str, &str); 8] = [
    ("#0b63b5", "#6cb6ff"),
    ("#b84a00", "#ffa657"),
    ("#1a7f4b", "#57d08c"),
    ("#a3278f", "#f08bdc"),
    ("#7a5c00", "#e3c34a"),
    ("#c2182b", "#ff7b85"),
    ("#0f7f86", "#4fd1d9"),
    ("#555555", "#b9b9b9"),
];
const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];

const STYLE: &str = "\
.ground{fill:#ffffff}.ink{fill:#1f2328}.axis{stroke:#1f2328}.grid{stroke:#d8dee4}
@media (prefers-color-scheme:dark){.ground{fill:#0d1117}.ink{fill:#e6edf3}.axis{stroke:#e6edf3}.grid{stroke:#30363d}}
text{font:13px system-ui,sans-serif}.title{font-size:16px;font-weight:600}
.axis,.grid{stroke-width:1;fill:none}.line{fill:none;stroke-width:2}
";

impl Plot {
    /// The plot as an SVG document.
    pub fn render(&self) -> String {
        let xs = if self.log_x {
            Axis::logarithmic(self.points().map(|p| p.x))
        } else {
            Axis::linear(self.points().map(|p| p.x), false)
        };
        let ys = if self.log {
            Axis::logarithmic(self.points().map(|p| p.y))
        } else {
            Axis::linear(self.points().map(|p| p.y), true)
        };
        let mut svg = String::new();
        self.head(&mut svg);
        self.axes(&mut svg, &xs, &ys);
        for (i, series) in self.series.iter().enumerate() {
            self.line(&mut svg, i, series, &xs, &ys);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The points that are shown.
    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|s| &s.points).filter(|p| self.shows(p))
    }

    fn shows(&self, p: &Point) -> bool {
        p.x.is_finite() && p.y.is_finite() && (!self.log || p.y > 0.0) && (!self.log_x || p.x > 0.0)
    }

    fn head(&self, svg: &mut String) {
        let title = escape(&self.title);
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
             aria-label=\"{title}\">\n<title>{title}</title>"
        );
        let _ = write!(svg, "<style>\n{STYLE}");
        for (i, (light, _)) in COLOURS.iter().enumerate() {
            let _ = write!(svg, ".s{i}{{stroke:{light}}}.f{i}{{fill:{light}}}");
        }
        svg.push_str("\n@media (prefers-color-scheme:dark){");
        for (i, (_, dark)) in COLOURS.iter().enumerate() {
            let _ = write!(svg, ".s{i}{{stroke:{dark}}}.f{i}{{fill:{dark}}}");
        }
        svg.push_str("}\n</style>\n");
        let _ = writeln!(svg, "<rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>");
        let _ = writeln!(svg, "<text class=\"ink title\" x=\"{LEFT}\" y=\"28\">{title}</text>");
    }

    fn axes(&self, svg: &mut String, xs: &Axis, ys: &Axis) {
        for tick in &ys.ticks {
            let y = ys.place(*tick, BOTTOM, TOP);
            let _ = writeln!(svg, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>");
            let _ = writeln!(
                svg,
                "<text class=\"ink\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                y + 4.5,
                number(*tick)
            );
        }
        for tick in &xs.ticks {
            let x = xs.place(*tick, LEFT, RIGHT);
            let _ = writeln!(svg, "<path class=\"axis\" d=\"M{x:.1} {BOTTOM}v5\"/>");
            let _ = writeln!(
                svg,
                "<text class=\"ink\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                BOTTOM + 21.0,
                number(*tick)
            );
        }
        let _ = writeln!(svg, "<path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>");
        let middle = f64::midpoint(LEFT, RIGHT);
        let _ = writeln!(
            svg,
            "<text class=\"ink\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - 14.0,
            escape(&self.x)
        );
        let middle = f64::midpoint(TOP, BOTTOM);
        let _ = writeln!(
            svg,
            "<text class=\"ink\" transform=\"translate(18 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escape(&self.y)
        );
    }

    fn line(&self, svg: &mut String, i: usize, series: &Series, xs: &Axis, ys: &Axis) {
        let colour = i % COLOURS.len();
        let dash = DASHES[i % DASHES.len()];
        let places: Vec<(f64, f64, bool)> = series
            .points
            .iter()
            .filter(|p| self.shows(p))
            .map(|p| (xs.place(p.x, LEFT, RIGHT), ys.place(p.y, BOTTOM, TOP), p.at_least))
            .collect();
        if !places.is_empty() {
            let points: Vec<String> = places.iter().map(|(x, y, _)| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(
                svg,
                "<polyline class=\"line s{colour}\" stroke-dasharray=\"{dash}\" points=\"{}\"/>",
                points.join(" ")
            );
        }
        for (x, y, at_least) in places {
            marker(svg, i, x, y, at_least);
        }
        let y = TOP + 10.0 + 22.0 * i as f64;
        let x = RIGHT + 22.0;
        let _ = writeln!(
            svg,
            "<path class=\"line s{colour}\" stroke-dasharray=\"{dash}\" d=\"M{x} {y:.1}h30\"/>"
        );
        marker(svg, i, x + 15.0, y, false);
        let _ = writeln!(
            svg,
            "<text class=\"ink\" x=\"{}\" y=\"{:.1}\">{}</text>",
            x + 38.0,
            y + 4.5,
            escape(&series.name)
        );
    }
}

fn marker(svg: &mut String, i: usize, x: f64, y: f64, hollow: bool) {
    let shape = match i % 4 {
        0 => "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        1 => "m-3.7 -3.7h7.4v7.4h-7.4z",
        2 => "m0 -4.8l4.4 8h-8.8z",
        _ => "m0 -5l5 5l-5 5l-5 -5z",
    };
    let colour = i % COLOURS.len();
    let fill = if hollow { "ground".to_owned() } else { format!("f{colour}") };
    let _ =
        writeln!(svg, "<path class=\"{fill} s{colour}\" stroke-width=\"1.5\" d=\"M{x:.1} {y:.1}{shape}\"/>");
}

/// The range of an axis and where its ticks are.
struct Axis {
    low: f64,
    high: f64,
    log: bool,
    ticks: Vec<f64>,
}

impl Axis {
    /// Ticks at round numbers, six to eight of them.
    fn linear(values: impl Iterator<Item = f64>, from_zero: bool) -> Axis {
        let (mut low, mut high) = range(values).unwrap_or((0.0, 1.0));
        if from_zero {
            low = low.min(0.0);
        }
        if high - low < f64::EPSILON * high.abs().max(1.0) {
            high = low + 1.0;
        }
        let step = round_step((high - low) / if from_zero { 6.0 } else { 8.0 });
        let (first, last) = if from_zero {
            high = (high / step).ceil() * step;
            (low, high)
        } else {
            ((low / step).ceil() * step, high)
        };
        let count = ((last - first) / step + 1e-9).floor() as u32;
        let ticks = (0..=count).map(|k| first + f64::from(k) * step).collect();
        Axis { low, high, log: false, ticks }
    }

    /// Ticks at the powers of ten, or at every second one and so on where there are many.
    fn logarithmic(values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = range(values).unwrap_or((1.0, 10.0));
        let first = low.log10().floor() as i32;
        let last = (high.log10().ceil() as i32).max(first + 1);
        let step = usize::try_from((last - first + 7) / 8).unwrap_or(1).max(1);
        let ticks = (first..=last).step_by(step).map(|e| 10f64.powi(e)).collect();
        Axis { low: 10f64.powi(first), high: 10f64.powi(last), log: true, ticks }
    }

    /// Where a value stands between two ends.
    fn place(&self, value: f64, from: f64, to: f64) -> f64 {
        let part = if self.log {
            (value / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        from + part * (to - from)
    }
}

fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, v| match range {
        None => Some((v, v)),
        Some((low, high)) => Some((v.min(low), v.max(high))),
    })
}

/// The next of 1, 2, 5, 10, … times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= step * (1.0 - 1e-9)).unwrap_or(10.0);
    times * power
}

/// A tick's label: no more digits than it has.
fn number(value: f64) -> String {
    let rounded = format!("{value:.6}");
    let text = rounded.trim_end_matches('0').trim_end_matches('.');
    match text.split_once('.') {
        None if text.len() > 4 => {
            // Thousands are set apart.
            let mut out = String::new();
            for (i, c) in text.chars().enumerate() {
                if i > 0 && (text.len() - i).is_multiple_of(3) {
                    out.push('\u{202f}');
                }
                out.push(c);
            }
            out
        }
        _ => text.to_owned(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(log: bool, values: &[f64]) -> Plot {
        let points = values.iter().enumerate().map(|(i, &y)| Point { x: i as f64, y, at_least: i == 1 });
        Plot {
            title: "a < b & \"c\"".to_owned(),
            x: "size".to_owned(),
            y: "seconds".to_owned(),
            log,
            log_x: log,
            series: vec![
                Series { name: "first".to_owned(), points: points.clone().collect() },
                Series { name: "<second>".to_owned(), points: points.collect() },
            ],
        }
    }

    /// Reads tags, attributes and entities, and insists that everything is closed.
    fn well_formed(xml: &str) {
        let mut open: Vec<&str> = Vec::new();
        let mut rest = xml;
        while let Some(start) = rest.find('<') {
            assert!(!rest[..start].contains('>'), "a stray > in {:?}", &rest[..start]);
            let end = start + rest[start..].find('>').expect("a tag is closed");
            let tag = &rest[start + 1..end];
            assert!(tag.matches('"').count().is_multiple_of(2), "an open quote in <{tag}>");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "</{name}> closes something else");
            } else if !tag.ends_with('/') {
                open.push(tag.split_whitespace().next().expect("a tag has a name"));
            }
            rest = &rest[end + 1..];
        }
        assert_eq!(open, Vec::<&str>::new(), "elements are left open");
        for entity in xml.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;"].iter().any(|e| entity.starts_with(e));
            assert!(known, "a bare & before {:?}", entity.chars().take(8).collect::<String>());
        }
        assert!(!xml.contains("NaN") && !xml.contains("inf"), "a place is no number");
    }

    #[test]
    fn plots_are_well_formed_whatever_they_show() {
        for values in [&[][..], &[0.0], &[3.0, 3.0], &[0.001, 20.0, 1e7], &[f64::NAN, 1.0, f64::INFINITY]] {
            for log in [false, true] {
                well_formed(&plot(log, values).render());
            }
        }
    }

    #[test]
    fn a_lower_bound_is_a_hollow_marker() {
        let svg = plot(false, &[1.0, 2.0]).render();
        assert_eq!(svg.matches("<path class=\"ground ").count(), 2, "one for each series");
    }

    #[test]
    fn ticks_are_round_numbers() {
        let ticks = |values: &[f64]| {
            Axis::linear(values.iter().copied(), true).ticks.into_iter().map(number).collect::<Vec<_>>()
        };
        assert_eq!(ticks(&[0.3, 11.2]), ["0", "2", "4", "6", "8", "10", "12"]);
        assert_eq!(ticks(&[0.007]), ["0", "0.002", "0.004", "0.006", "0.008"]);
        let log = Axis::logarithmic([0.03, 7_000.0].into_iter());
        assert_eq!(
            log.ticks.into_iter().map(number).collect::<Vec<_>>(),
            ["0.01", "0.1", "1", "10", "100", "1000", "10\u{202f}000"]
        );
    }
}
