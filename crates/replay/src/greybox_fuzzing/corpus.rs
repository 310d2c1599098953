//! Corpora of fuzzers: files that other tools found become first inputs of a search, and tests become such files.
//!
//! **Idea.** A file says in one of three ways what the inputs of a function are:
//!
//! * *Buffer*: it is what a buffer holds, as for libFuzzer and AFL++. The buffer is the first parameter that points to elements of
//!   one byte; the next parameter, if it is an integer, is the number of bytes; everything else is zero, and pointers are not null.
//! * *Layout*: its bytes are all inputs one after the other (`layout.rs`), as the harness reads them that Footpath writes
//!   (`libfuzzer.rs`). What is missing at the end is zero.
//! * *Objects*: it is a test case of KLEE (`ktest.rs`). An object is the parameter or variable of its name; others are what is left of
//!   the parameters, in order, where the size fits. A pointer for which there is no object is null.
//!
//! Example: for `int parse(const uint8_t *data, size_t size)` a file `GET` is a call with three bytes and 3. For
//! `int grade(int points, char level)` a file of five bytes is the number of points, the lowest byte first, and the level.
//!
//! A function of exactly a buffer of unsigned bytes and its size (`size_t`) has files that are buffers only, which is what libFuzzer
//! gives its targets. Other functions with a buffer take a file as a layout if it has just the size of one, and as a buffer always.
//!
//! **Direction of error.** None: what is read is a proposal, which counts for what its compiled test does. What is written is
//! a test only if its run takes the same path.

use footpath_frontend::c::source::c_types::CType;
use footpath_frontend::c::{Harness, LONGEST, Lowered};
use footpath_ir::interp::{Interpreter, Script};
use rustc_hash::FxHashSet;

use super::encoding::put;
use super::ktest::{KTestObject, write_ktest};
use super::layout::{Holder, Layout, Owner, number_at};
use super::libfuzzer::{self, FuzzHarness};
use crate::inputs::Inputs;

/// What another tool found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seed {
    /// A file of a fuzzer.
    Bytes(Vec<u8>),
    /// A test case of KLEE.
    KTest(Vec<KTestObject>),
}

/// How files stand for inputs of a function.
pub struct CorpusFormat<'a> {
    pub(super) layout: Layout<'a>,
    interpreter: &'a Interpreter<'a>,
    pub(super) buffer: Option<Buffer>,
}

/// A parameter that a whole file is the content of.
#[derive(Clone, Copy)]
pub(super) struct Buffer {
    /// The parameter.
    param: usize,
    /// The place that it leads to.
    place: usize,
    /// The parameter with the number of bytes.
    length: Option<usize>,
    /// Whether all files are read so.
    pub(super) is_all: bool,
}

/// A file that a function has no inputs for.
enum Misfit {
    /// It has so many bytes, and the buffer fewer.
    TooLong(usize),
    /// None of its objects is an input.
    NoObject,
}

/// What seeds propose.
#[derive(Clone, Debug)]
pub struct Proposals {
    /// Inputs of the widest harness, each once.
    pub scripts: Vec<Script>,
    /// Which seeds do not fit, a sentence for each reason.
    pub misfits: Vec<String>,
}

impl<'a> CorpusFormat<'a> {
    /// The format for a function with this harness.
    ///
    /// # Errors
    /// If its inputs have no layout; the error says why.
    pub fn of(
        lowered: &'a Lowered,
        interpreter: &'a Interpreter<'a>,
        harness: &'a Harness,
    ) -> Result<CorpusFormat<'a>, String> {
        if harness.is_command_line {
            return Err("its arguments are those of a command line".to_owned());
        }
        let layout = Layout::of(lowered, harness)?;
        let buffer = buffer(&layout);
        Ok(CorpusFormat { layout, interpreter, buffer })
    }

    /// The inputs that seeds stand for.
    pub fn proposals<'s>(&self, seeds: impl IntoIterator<Item = &'s Seed>) -> Proposals {
        let (mut inputs, mut seen) = (Vec::new(), FxHashSet::default());
        let (mut too_long, mut longest, mut without, mut all) = (0, 0, 0, 0);
        for seed in seeds {
            all += 1;
            match self.read(seed) {
                Ok(read) => inputs.extend(read.into_iter().filter(|input| seen.insert(input.clone()))),
                Err(Misfit::TooLong(bytes)) => {
                    too_long += 1;
                    longest = longest.max(bytes);
                }
                Err(Misfit::NoObject) => without += 1,
            }
        }
        let mut misfits = Vec::new();
        if let Some(buffer) = self.buffer.filter(|_| too_long > 0) {
            let (name, most) = (&self.layout.harness.params[buffer.param].name, self.room(&buffer));
            let times = if self.layout.harness.longest.is_some() { LONGEST as usize } else { 1 };
            let elements = (longest + usize::from(self.layout.places[buffer.place].is_text)).div_ceil(times);
            misfits.push(format!(
                "{too_long} of {all} seeds have more than the {most} bytes that tests have room for in `{name}`; \
                 --array-length {elements} makes room for all"
            ));
        }
        if without > 0 {
            misfits.push(format!(
                "{without} of {all} seeds have no object of the name or the size of an input of this function"
            ));
        }
        let scripts = inputs
            .iter()
            .map(|input| self.layout.script(self.interpreter, &Script::default(), input))
            .collect();
        Proposals { scripts, misfits }
    }

    /// The file that stands for a test; nothing if there is none.
    pub fn file(&self, inputs: &Inputs) -> Option<Vec<u8>> {
        let input = self.layout.input(inputs);
        let (file, read) = match self.buffer.filter(|buffer| buffer.is_all) {
            None => (input.clone(), input),
            Some(buffer) => {
                let place = &self.layout.places[buffer.place];
                let at = place.content_at.unwrap_or(0) as usize;
                let size = buffer.length.map_or(0, |length| self.length(length, &input));
                let size = usize::try_from(size).ok().filter(|&size| size <= self.room(&buffer))?;
                let file =
                    if place.content_at.is_some() { input[at..at + size].to_vec() } else { vec![0; size] };
                let read = self.buffer_input(&buffer, &file).ok()?;
                (file, read)
            }
        };
        self.layout.is_same_run(self.interpreter, inputs, &read).then_some(file)
    }

    /// The test case of KLEE that stands for a test; nothing if there is none.
    pub fn ktest(&self, inputs: &Inputs) -> Option<Vec<u8>> {
        let objects = self.objects(&self.layout.input(inputs));
        let read = self.objects_input(&objects).ok()?;
        self.layout.is_same_run(self.interpreter, inputs, &read).then(|| write_ktest(&objects))
    }

    /// A harness for libFuzzer that reads these files. See `libfuzzer.rs`.
    ///
    /// # Errors
    /// If there is none; the error says why.
    pub fn harness(
        &self,
        function: &str,
        source: &str,
        missing: &dyn Fn(&str) -> bool,
    ) -> Result<FuzzHarness, String> {
        libfuzzer::harness(self, function, source, missing)
    }

    fn read(&self, seed: &Seed) -> Result<Vec<Vec<u8>>, Misfit> {
        let file = match seed {
            Seed::KTest(objects) => return Ok(vec![self.objects_input(objects)?]),
            Seed::Bytes(file) => file,
        };
        let Some(buffer) = &self.buffer else { return Ok(vec![self.layout_input(file)]) };
        if buffer.is_all || file.len() != self.layout.size as usize {
            return Ok(vec![self.buffer_input(buffer, file)?]);
        }
        Ok(std::iter::once(self.layout_input(file)).chain(self.buffer_input(buffer, file).ok()).collect())
    }

    fn layout_input(&self, file: &[u8]) -> Vec<u8> {
        let size = self.layout.size as usize;
        file.iter().copied().chain(std::iter::repeat(0)).take(size).collect()
    }

    fn buffer_input(&self, buffer: &Buffer, file: &[u8]) -> Result<Vec<u8>, Misfit> {
        if file.len() > self.room(buffer) {
            return Err(Misfit::TooLong(file.len()));
        }
        let mut input = vec![0; self.layout.size as usize];
        (0..self.layout.harness.params.len()).for_each(|param| self.lead_to_own(param, &mut input));
        self.fill(buffer.place, file, &mut input);
        if let Some(length) = buffer.length {
            self.set_length(length, file.len(), &mut input);
        }
        Ok(input)
    }

    /// How many bytes fit into a buffer. Behind them there is a zero in text.
    fn room(&self, buffer: &Buffer) -> usize {
        let place = &self.layout.places[buffer.place];
        (place.most * place.element) as usize - usize::from(place.is_text)
    }

    /// Writes the contents of a place with as many elements. Each place has one at least.
    fn fill(&self, place: usize, bytes: &[u8], input: &mut [u8]) {
        let place = &self.layout.places[place];
        let size = bytes.len() as u32 + u32::from(place.is_text && bytes.last() != Some(&0));
        if let Some(at) = place.count_at {
            put(input, at, 2, u128::from((size / place.element.max(1)).clamp(1, place.most) - 1));
        }
        if let Some(at) = place.content_at {
            input[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
        }
    }

    fn length(&self, param: usize, input: &[u8]) -> u128 {
        let size = self.layout.size_of(self.layout.harness.params[param].ty);
        self.layout.scalars[param].map_or(0, |at| number_at(input, at, size))
    }

    fn set_length(&self, param: usize, length: usize, input: &mut [u8]) {
        if let Some(at) = self.layout.scalars[param] {
            put(input, at, self.layout.size_of(self.layout.harness.params[param].ty), length as u128);
        }
    }

    /// Makes a parameter that is a pointer lead to the start of the object of its own, if it has one.
    fn lead_to_own(&self, param: usize, input: &mut [u8]) {
        let layout = &self.layout;
        let Some(link) =
            layout.links.iter().find(|link| matches!(link.holder, Holder::Param(i) if i == param))
        else {
            return;
        };
        let own = layout.harness.params[param].object.map(|object| layout.harness.objects[object].number);
        let position = link.goals.iter().position(|goal| Some(goal.number) == own);
        if let Some(position) = position.or((!link.goals.is_empty()).then_some(0)) {
            layout.lead(link, position, 0, input);
        }
    }

    /// The place that a parameter leads to.
    fn place_of(&self, param: usize) -> Option<usize> {
        let object = self.layout.harness.params[param].object?;
        self.layout.places.iter().position(|place| place.owner == Owner::Object(object))
    }

    /// What the inputs are that can be an object of KLEE: for each the name, and whether so many bytes fit.
    fn inputs(&self) -> Vec<(&str, Input)> {
        let params = self.layout.harness.params.iter().enumerate().filter_map(|(i, param)| {
            let input = match self.layout.scalars[i] {
                Some(_) => Input::Number(i),
                None => Input::Pointer(i, self.place_of(i)?),
            };
            Some((&*param.name, input))
        });
        let settings = self.layout.places.iter().enumerate().filter_map(|(place, of)| match of.owner {
            Owner::Setting(index) if of.content_at.is_some() => {
                Some((&*self.layout.harness.settings[index].name, Input::Variable(place)))
            }
            _ => None,
        });
        params.chain(settings).collect()
    }

    fn fits(&self, input: Input, bytes: usize) -> bool {
        match input {
            Input::Number(param) => {
                bytes == self.layout.size_of(self.layout.harness.params[param].ty) as usize
            }
            Input::Variable(place) => bytes == self.layout.places[place].element as usize,
            Input::Pointer(_, place) => {
                let place = &self.layout.places[place];
                let (element, most) = (place.element.max(1) as usize, place.most as usize);
                let counted = place.count_at.is_some() || bytes == element;
                counted && bytes > 0 && bytes.is_multiple_of(element) && bytes / element <= most
            }
        }
    }

    fn objects_input(&self, objects: &[KTestObject]) -> Result<Vec<u8>, Misfit> {
        let mut left: Vec<(&str, Input)> = self.inputs();
        let (mut taken, mut unnamed): (Vec<(Input, &[u8])>, Vec<&KTestObject>) = (Vec::new(), Vec::new());
        for object in objects {
            let fits =
                |(name, input): &(&str, Input)| *name == object.name && self.fits(*input, object.bytes.len());
            match left.iter().position(fits) {
                Some(position) => taken.push((left.remove(position).1, &object.bytes)),
                None => unnamed.push(object),
            }
        }
        for object in unnamed {
            let fits = |(_, input): &(&str, Input)| {
                !matches!(input, Input::Variable(_)) && self.fits(*input, object.bytes.len())
            };
            if let Some(position) = left.iter().position(fits) {
                taken.push((left.remove(position).1, &object.bytes));
            }
        }
        if taken.is_empty() {
            return Err(Misfit::NoObject);
        }
        let mut input = vec![0; self.layout.size as usize];
        for &(of, bytes) in &taken {
            match of {
                Input::Number(param) => {
                    let at = self.layout.scalars[param].unwrap_or(0) as usize;
                    input[at..at + bytes.len()].copy_from_slice(bytes);
                }
                Input::Variable(place) => self.fill(place, bytes, &mut input),
                Input::Pointer(param, place) => {
                    self.lead_to_own(param, &mut input);
                    self.fill(place, bytes, &mut input);
                }
            }
        }
        if let Some(Buffer { param, length: Some(length), .. }) = self.buffer
            && let Some((_, bytes)) =
                taken.iter().find(|(of, _)| matches!(of, Input::Pointer(p, _) if *p == param))
            && !taken.iter().any(|(of, _)| matches!(of, Input::Number(p) if *p == length))
        {
            self.set_length(length, bytes.len(), &mut input);
        }
        Ok(input)
    }

    /// The objects of KLEE for an input.
    fn objects(&self, input: &[u8]) -> Vec<KTestObject> {
        let layout = &self.layout;
        let bytes = |of: Input| -> Option<Vec<u8>> {
            let (at, size) = match of {
                Input::Number(param) => {
                    (layout.scalars[param]?, layout.size_of(layout.harness.params[param].ty))
                }
                Input::Variable(place) => (layout.places[place].content_at?, layout.places[place].element),
                Input::Pointer(param, place) => {
                    let is_its =
                        |link: &&super::layout::Link| matches!(link.holder, Holder::Param(i) if i == param);
                    let link = layout.links.iter().find(is_its)?;
                    layout.chosen(link, input).0?;
                    let place = &layout.places[place];
                    let size = layout.elements(place, input) * place.element;
                    let Some(at) = place.content_at else { return Some(vec![0; size as usize]) };
                    (at, size)
                }
            };
            Some(input[at as usize..(at + size) as usize].to_vec())
        };
        let object =
            |(name, of): (&str, Input)| Some(KTestObject { name: name.to_owned(), bytes: bytes(of)? });
        self.inputs().into_iter().filter_map(object).collect()
    }
}

/// An input that can be an object of KLEE.
#[derive(Clone, Copy)]
enum Input {
    /// A parameter that is a number.
    Number(usize),
    /// A parameter that is a pointer, and the place that it leads to.
    Pointer(usize, usize),
    /// A variable, by its place.
    Variable(usize),
}

/// The parameter that a whole file is the content of.
fn buffer(layout: &Layout<'_>) -> Option<Buffer> {
    let types = &layout.lowered.types;
    let harness = layout.harness;
    let of_bytes = |param: usize| {
        let object = harness.params[param].object?;
        let place = layout.places.iter().position(|place| place.owner == Owner::Object(object))?;
        let is_pointer = matches!(types.resolved(harness.params[param].ty), CType::Pointer(_));
        let has_bytes = layout.places[place].element == 1 && layout.places[place].count_at.is_some();
        (is_pointer && has_bytes).then_some((param, place))
    };
    let (param, place) = (0..harness.params.len()).find_map(of_bytes)?;
    let is_integer = |&param: &usize| {
        let ty = harness.params.get(param).map(|param| types.resolved(param.ty));
        matches!(ty, Some(CType::Int { bits: 16.., .. })) && layout.scalars[param].is_some()
    };
    let length = Some(param + 1).filter(is_integer);
    let word = layout.lowered.shape.bits;
    let is_size = |param: usize| {
        let ty = types.resolved(harness.params[param].ty);
        matches!(ty, CType::Int { signed: false, bits, .. } if u64::from(*bits) == u64::from(word))
    };
    let is_all = harness.params.len() == 2
        && param == 0
        && length.is_some_and(is_size)
        && !layout.places[place].is_text;
    Some(Buffer { param, place, length, is_all })
}
