//! Progress on a terminal: what is done, what is decided, elapsed. Nothing when piped.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use footpath_concolic as concolic;
use footpath_cover::Event;
use footpath_driver as conductor;
use footpath_ir::ProcId;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::supervision;

/// A line that is redrawn as events come in.
pub struct Progress {
    bar: ProgressBar,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// For each body that was begun: decided objectives, all objectives.
    objectives: BTreeMap<(ProcId, u32), (usize, usize)>,
}

impl Progress {
    /// Progress over so many procedures; silent if `visible` is false.
    pub fn new(procedures: usize, visible: bool) -> Progress {
        let bar = line("{pos} of {len} procedures done, {msg}{elapsed}", visible);
        bar.set_length(procedures as u64);
        Progress { bar, state: Mutex::default() }
    }

    /// Takes note of an event.
    pub fn on(&self, event: &Event) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match *event {
            Event::Started(procedure, body, objectives) => {
                state.objectives.insert((procedure, body), (0, objectives));
            }
            Event::Progress(procedure, body, decided) => {
                state.objectives.entry((procedure, body)).or_default().0 = decided;
            }
            Event::Finished(procedure, body) => {
                let (decided, all) = state.objectives.entry((procedure, body)).or_default();
                *decided = *all;
                self.bar.inc(1);
            }
        }
        let is_done = matches!(event, Event::Finished(..));
        let (decided, all) = state.objectives.values().fold((0, 0), |(d, a), (x, y)| (d + x, a + y));
        if is_done {
            supervision::record(&format!("{decided} of {all} objectives decided"));
        }
        self.bar.set_message(format!("{decided} of {all} objectives decided, "));
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line for each function that is done, and below them one that is redrawn.
pub struct FunctionProgress {
    bar: ProgressBar,
    running: Mutex<Vec<String>>,
}

impl FunctionProgress {
    /// Silent if `visible` is false.
    pub fn new(visible: bool) -> FunctionProgress {
        let bar = line("{elapsed} {msg}", visible);
        bar.set_message("compiling");
        FunctionProgress { bar, running: Mutex::default() }
    }

    /// Takes note of an event.
    pub fn on(&self, event: &conductor::Event) {
        let mut running = self.running.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match event {
            conductor::Event::Compiled(functions) => self.bar.set_length(*functions as u64),
            conductor::Event::Started(name) => running.push(name.clone()),
            conductor::Event::Finished(name, covered, all) => {
                if let Some(at) = running.iter().position(|n| n == name) {
                    running.remove(at);
                }
                let found = format!("{name}: {covered} of {all} covered");
                supervision::record(&found);
                self.bar.println(found);
                self.bar.inc(1);
            }
            conductor::Event::Exploring(name, event) => {
                if let Some(told) = exploring(event, self.bar.elapsed()) {
                    self.bar.set_message(format!("{name}: {told}"));
                }
                return;
            }
        }
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
        self.bar.set_message(format!("{done} of {all} functions done; {}", running.join(", ")));
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line for the procedure that is explored.
pub struct ExploreProgress {
    bar: ProgressBar,
}

impl ExploreProgress {
    /// Silent if `visible` is false.
    pub fn new(visible: bool) -> ExploreProgress {
        ExploreProgress { bar: line("{elapsed} {msg}", visible) }
    }

    /// Takes note of an event.
    pub fn on(&self, procedure: &str, event: &concolic::Event) {
        if let Some(told) = exploring(event, self.bar.elapsed()) {
            self.bar.set_message(format!("{procedure}: {told}"));
        }
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line that counts the functions that are verified.
pub struct VerifyProgress {
    bar: ProgressBar,
}

impl VerifyProgress {
    /// Progress over so many bodies; silent if `visible` is false.
    pub fn new(bodies: usize, visible: bool) -> VerifyProgress {
        let bar = line("{pos} of {len} functions verified, {msg}{elapsed}", visible);
        bar.set_length(bodies as u64);
        VerifyProgress { bar }
    }

    /// Takes note of a function that is done.
    pub fn on(&self, name: &str) {
        supervision::record(&format!("{name}: analysed"));
        self.bar.inc(1);
        self.bar.set_message(format!("{name}, "));
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line on a terminal that is redrawn; silent if `visible` is false.
pub fn line(template: &str, visible: bool) -> ProgressBar {
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if visible {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}

/// How far an exploration is, in a few words.
fn exploring(event: &concolic::Event, elapsed: Duration) -> Option<String> {
    let concolic::Event::Progress { runs, paths, goals, solver_time, covered, frontier, .. } = event else {
        return None;
    };
    let share = solver_time.as_secs_f64() / elapsed.as_secs_f64().max(1e-3);
    Some(format!(
        "{runs} runs, {paths} paths, {covered} of {goals} goals, {frontier} open, solver {:.0} %",
        (100.0 * share).min(100.0)
    ))
}
