//! The abstract execution: the host function once, and what it dispatches on each rank, on a
//! known number of ranks. What others can see becomes events.

mod access;
mod blocks;
mod control;
mod events;
mod host;
mod scalar;
mod signal;

use super::{
    Known,
    cells::Cells,
    choices::Choices,
    code::{Body, Code, Definition, Entry, Operation, Slot, What},
    interval::Interval,
    memory::Integers,
    value::{Int, Memory, Origins, Place, Source, Value},
};
use blocks::Block;
use pld_protocol::{BufferId, GroupId, Path, PathId, Process, Remark, SiteId, Skeleton, Step};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// Bodies and calls inside of each other.
const MOST_DEPTH: u32 = 400;

/// Why an execution ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The process comes to where it can go no further: its last event says why.
    Process,
    /// What follows is not known.
    Run(GivenUp),
}

/// Why there is no skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GivenUp {
    pub site: SiteId,
    /// A sentence without a full stop.
    pub text: String,
}

type Done<T = ()> = Result<T, Stop>;

/// The values of a function's run, by slots.
type Frame = [Value];

/// A window buffer.
struct Window {
    buffer: BufferId,
    group: GroupId,
    /// World ranks.
    members: Rc<[u32]>,
}

/// An array.
struct Array {
    name: String,
    bytes: u64,
    /// The number of an argument that nobody writes, and whether all ranks have the same.
    input: Option<(usize, bool)>,
    buffer: Option<BufferId>,
}

/// Who executes.
#[derive(Clone, Debug)]
struct Here {
    process: usize,
    rank: u32,
    block: Option<Block>,
}

/// The state of an execution.
pub(super) struct Machine<'p> {
    code: &'p Code,
    world: u32,
    pub skeleton: Skeleton,
    choices: &'p mut Choices,
    /// What cells may hold, if an execution before this one has found out.
    known_cells: Option<&'p Cells>,
    pub cells: Cells,
    origins: Origins,
    windows: Vec<Window>,
    arrays: Vec<Array>,
    integers: HashMap<(usize, u32), Integers>,
    /// `None` on the host.
    here: Option<Here>,
    stopped: HashSet<usize>,
    paths: Vec<(Step, Option<PathId>)>,
    steps: u64,
    depth: u32,
    /// How many branches and loops around may not run.
    may: u32,
    /// How many loops around look for what their values may be: nothing happens meanwhile.
    dry: u32,
    /// Whether what goes on changing becomes anything.
    widen: bool,
    /// Whether what memory may hold has changed.
    changed: bool,
    blocks: blocks::Meetings,
    /// By process.
    segments: HashMap<usize, events::Segment>,
}

impl<'p> Machine<'p> {
    pub(super) fn new(
        code: &'p Code,
        world: u32,
        steps: u64,
        choices: &'p mut Choices,
        known_cells: Option<&'p Cells>,
    ) -> Self {
        choices.restart();
        let process = |rank| Process {
            rank,
            block: None,
            events: Vec::new(),
        };
        let root = Path {
            parent: None,
            step: Step::Root,
        };
        let skeleton = Skeleton {
            world,
            sites: code.sites.clone(),
            paths: vec![root],
            processes: (0..world).map(process).collect(),
            ..Skeleton::default()
        };
        Self {
            code,
            world,
            skeleton,
            choices,
            known_cells,
            cells: Cells::default(),
            origins: Origins::default(),
            windows: Vec::new(),
            arrays: Vec::new(),
            integers: HashMap::new(),
            here: None,
            stopped: HashSet::new(),
            paths: vec![(Step::Root, Some(PathId(0)))],
            steps,
            depth: 0,
            may: 0,
            dry: 0,
            widen: false,
            changed: false,
            blocks: blocks::Meetings::default(),
            segments: HashMap::new(),
        }
    }

    /// Executes a host function.
    pub(super) fn run(&mut self, host: usize, known: &Known) -> Result<(), GivenUp> {
        let parameters = &self.code.functions[host].parameters;
        let arguments = (0..parameters.len())
            .map(|index| self.host_argument(host, index, known))
            .collect();
        let ended = self.function(host, arguments);
        self.skeleton.choices = self.choices.of_this_way();
        match ended {
            Ok(_) | Err(Stop::Process) => Ok(()),
            Err(Stop::Run(why)) => Err(why),
        }
    }

    fn host_argument(&mut self, host: usize, index: usize, known: &Known) -> Value {
        let parameter = &self.code.functions[host].parameters[index];
        let any = |machine: &mut Self, source, range| {
            Value::Int(Int {
                range,
                origin: Some(machine.origins.get(source, true)),
            })
        };
        if let (Some(_), Some(&value)) = (parameter.bits, known.scalars.get(&index)) {
            return Value::Int(Int::point(value));
        }
        if let Some(bits) = parameter.bits {
            return any(self, Source::Argument(index), Interval::all(bits));
        }
        let Some(array) = &parameter.array else {
            return Value::Other;
        };
        let (is_input, is_sharded) = (parameter.is_input, parameter.is_sharded);
        let mut sizes = Vec::new();
        for (dim, extent) in array.shape.iter().enumerate() {
            if extent.is_none() {
                let world = Int::point(self.world.into());
                let size = match (dim, is_sharded, known.extents.get(&(index, dim))) {
                    (0, true, _) => world,
                    (_, _, Some(&extent)) => Int::point(extent),
                    _ => Int {
                        range: Interval::new(0, i64::MAX),
                        origin: Some(self.origins.get(Source::Extent(index, dim), true)),
                    },
                };
                sizes.push(size);
            }
        }
        let name = format!("argument #{index}");
        let input = is_input.then_some((index, !is_sharded));
        self.array(name, array, sizes, input)
    }

    fn function(&mut self, index: usize, arguments: Vec<Value>) -> Done<Vec<Value>> {
        let code = self.code;
        let function = &code.functions[index];
        let Some(body) = &function.body else {
            let text = format!("@{} has no body to be followed", function.name);
            return Err(self.give_up(function.site, text));
        };
        let mut frame = vec![Value::Other; function.slots as usize];
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            frame[parameter.slot.0 as usize] = argument;
        }
        self.body(&mut frame, body, function.site)?;
        Ok(yields(&frame, body))
    }

    fn body(&mut self, frame: &mut Frame, body: &'p Body, site: SiteId) -> Done {
        if self.depth >= MOST_DEPTH {
            return Err(self.give_up(site, "calls and regions are too deep".into()));
        }
        self.depth += 1;
        let done = body
            .operations
            .iter()
            .try_for_each(|operation| self.operation(frame, operation));
        self.depth -= 1;
        done
    }

    fn operation(&mut self, frame: &mut Frame, operation: &'p Operation) -> Done {
        let site = operation.site;
        self.steps = match self.steps.checked_sub(1) {
            Some(steps) => steps,
            None => return Err(self.give_up(site, "the program takes too many steps".into())),
        };
        let results = &operation.results;
        match &operation.what {
            What::Access(access) => self.access(frame, site, access, results),
            What::Transfer(transfer) => self.transfer(frame, site, transfer),
            What::Notify { .. } | What::Wait { .. } => self.signal(frame, operation),
            What::Meet(meet) => self.meet(frame, site, meet),
            What::SyncBlocks => self.sync_blocks(site),
            What::AllocWindow { .. }
            | What::View { .. }
            | What::Alloc { .. }
            | What::Dispatch { .. } => self.of_host(frame, operation),
            What::For { .. } | What::While { .. } | What::Branch { .. } | What::Call { .. }
                if !self.matters(operation) =>
            {
                forget(frame, results);
                Ok(())
            }
            What::For { .. } => self.for_loop(frame, operation),
            What::While { .. } => self.while_loop(frame, operation),
            What::Branch { .. } => self.branch(frame, operation),
            What::Call { callee, arguments } => {
                let arguments = arguments.iter().map(|&slot| get(frame, slot)).collect();
                let name = self.code.functions[*callee].name.clone();
                let returned = self.inside(Step::Call(site, name), |machine| {
                    machine.function(*callee, arguments)
                })?;
                define(frame, results, returned);
                Ok(())
            }
            What::Context(window) => {
                if let Some([memory]) = memories(frame, *window).as_deref().map(Vec::as_slice)
                    && let Place::Window(window) = memory.place
                {
                    self.own(window, site)?;
                }
                self.scalar(frame, operation);
                Ok(())
            }
            What::At(body) => {
                let name = "pl.at".to_owned();
                self.inside(Step::Call(site, name), |machine| {
                    machine.body(frame, body, site)
                })
            }
            What::Spmd { count, body } => self.spmd(frame, site, *count, body),
            _ => {
                self.scalar(frame, operation);
                Ok(())
            }
        }
    }

    /// Whether anybody sees what an operation does.
    fn matters(&self, operation: &Operation) -> bool {
        let effects = operation.effects;
        effects.signals
            || effects.windows
            || effects.integers && self.code.reads_integers
            || effects.arrays && self.in_blocks()
            || operation.results.iter().any(|result| result.is_needed)
    }

    /// Whether other blocks of this rank run at the same time.
    fn in_blocks(&self) -> bool {
        let block = self.here.as_ref().and_then(|here| here.block.as_ref());
        block.is_some_and(|block| block.count > 1)
    }

    fn inside<T>(&mut self, step: Step, run: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.paths.push((step, None));
        let done = run(self);
        self.paths.pop();
        done
    }

    fn remark(&mut self, site: SiteId, text: String, incomplete: bool) {
        let remark = Remark {
            site,
            text,
            incomplete,
        };
        if self.dry == 0 && !self.skeleton.remarks.contains(&remark) {
            self.skeleton.remarks.push(remark);
        }
    }

    fn give_up(&self, site: SiteId, text: String) -> Stop {
        Stop::Run(GivenUp { site, text })
    }

    fn rank(&self) -> u32 {
        self.here.as_ref().map_or(0, |here| here.rank)
    }
}

fn get(frame: &Frame, slot: Slot) -> Value {
    frame.get(slot.0 as usize).cloned().unwrap_or_default()
}

fn set(frame: &mut Frame, slot: Slot, value: Value) {
    if let Some(place) = frame.get_mut(slot.0 as usize) {
        *place = value;
    }
}

/// An integer; anything if it is not followed.
fn int(frame: &Frame, slot: Slot) -> Int {
    match frame.get(slot.0 as usize) {
        Some(Value::Int(int)) => *int,
        _ => Int::of(Interval::all(64)),
    }
}

fn entry(frame: &Frame, entry: Entry) -> Int {
    match entry {
        Entry::Static(value) => Int::point(value),
        Entry::Dynamic(slot) => int(frame, slot),
    }
}

fn memories(frame: &Frame, slot: Slot) -> Option<Rc<Vec<Memory>>> {
    match frame.get(slot.0 as usize) {
        Some(Value::Memory(memories)) => Some(Rc::clone(memories)),
        _ => None,
    }
}

fn yields(frame: &Frame, body: &Body) -> Vec<Value> {
    body.yields.iter().map(|&slot| get(frame, slot)).collect()
}

fn define(frame: &mut Frame, results: &[Definition], values: Vec<Value>) {
    for (result, value) in results.iter().zip(values) {
        set(frame, result.slot, value);
    }
}

/// Results that may be anything.
fn forget(frame: &mut Frame, results: &[Definition]) {
    for result in results {
        set(frame, result.slot, unknown(result));
    }
}

fn unknown(result: &Definition) -> Value {
    match result.bits {
        Some(bits) => Value::Int(Int::of(Interval::all(bits))),
        None => Value::Other,
    }
}
