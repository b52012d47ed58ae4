//! `pl-plan-memory`: where each tile lies in the unified buffer.
//!
//! A tile lives from its first touch to its last; one that is defined outside a loop and
//! touched inside lives to the loop's end. Tiles get memory of their own while all fit;
//! otherwise those that do not live at the same time share, largest first, at the lowest
//! offset that is free.

use super::{
    layout::Layout,
    memory_map::{Entry, MemoryMap},
    placement::{Tile, spread, squeeze},
    plan::{self, Lists},
    profile::Profile,
    statement::{self, Place, Slot},
    verify_target,
};
use melior::ir::{
    BlockLike, Location, RegionLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    Kind, bridge,
    diag::{self, Code},
    function_kind,
    pass::{OptionSpec, Options, Pass, Reported},
    view,
};
use std::collections::HashMap;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-plan-memory",
    description: "Give each tile of an in-core function an offset in the unified buffer, as the \
                  attribute pl.ub; refuse a function whose live tiles exceed it (pld-301). \
                  Expects legalised operations and no calls between in-core functions.",
    options: &[verify_target::ARCH, REUSE, MAP],
    run,
};

/// Option: whether to share memory.
pub const REUSE: OptionSpec = OptionSpec {
    name: "reuse",
    description: "when tiles share memory: auto (only if they do not all fit), always",
    default: "auto",
};

/// Option: whether to show the plan.
const MAP: OptionSpec = OptionSpec {
    name: "print-memory-map",
    description: "picture of each plan, to standard error: none, text, svg",
    default: "none",
};

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let profile = verify_target::profile(module, options)?;
    let reuse = options.get("reuse");
    if !matches!(reuse, "auto" | "always") {
        diag::failure(
            module.location(),
            format!("reuse={reuse}, expected auto or always"),
        )
        .emit();
        return Err(Reported);
    }
    let draw = match options.get(MAP.name) {
        "none" => None,
        "text" => Some(MemoryMap::text as fn(&MemoryMap) -> String),
        "svg" => Some(MemoryMap::svg as fn(&MemoryMap) -> String),
        other => {
            let message = format!("print-memory-map={other}, expected none, text or svg");
            diag::failure(module.location(), message).emit();
            return Err(Reported);
        }
    };
    for function in bridge::collect(module, |name| name == "func.func") {
        if function_kind(&function) == Some(Kind::InCore) {
            let map = Planner::of(profile, function).plan(reuse == "always")?;
            if let Some(draw) = draw {
                eprint!("{}", draw(&map));
            }
        }
    }
    Ok(())
}

/// On-core memory of a kernel, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peak {
    /// Name of the in-core function.
    pub function: String,
    /// With memory of its own for each tile.
    pub spread: i64,
    /// With memory shared wherever tiles do not live at the same time.
    pub shared: i64,
    /// What lives at the same time at most: no plan needs less.
    pub bound: i64,
}

/// Those of the in-core functions of a module, which is one as the pass takes it.
pub fn peaks(module: OperationRef, profile: &'static Profile) -> Vec<Peak> {
    let functions = bridge::collect(module, |name| name == "func.func");
    let kernels = functions
        .into_iter()
        .filter(|function| function_kind(function) == Some(Kind::InCore));
    let peak = |function| {
        let mut planner = Planner::of(profile, function);
        let slots = planner.slot_bytes();
        Peak {
            function: view::string(&function, "sym_name").unwrap_or_default(),
            spread: spread(&mut planner.tiles) + slots,
            shared: squeeze(&mut planner.tiles) + slots,
            bound: planner.need(planner.peak()) + slots,
        }
    };
    kernels.map(peak).collect()
}

/// Where the offset of a tile is written.
struct Owner<'c, 'a> {
    op: OperationRef<'c, 'a>,
    list: &'static str,
    index: usize,
    value: Value<'c, 'a>,
}

struct Planner<'c, 'a> {
    profile: &'static Profile,
    function: OperationRef<'c, 'a>,
    tiles: Vec<Tile>,
    owners: Vec<Owner<'c, 'a>>,
    by_value: HashMap<usize, usize>,
    slots: [bool; 4],
    /// Loops around the current operation: the operation and the tiles touched in it.
    loops: Vec<(OperationRef<'c, 'a>, Vec<usize>)>,
    position: usize,
}

impl<'c, 'a> Planner<'c, 'a> {
    fn of(profile: &'static Profile, function: OperationRef<'c, 'a>) -> Self {
        let mut planner = Self {
            profile,
            function,
            tiles: Vec::new(),
            owners: Vec::new(),
            by_value: HashMap::new(),
            slots: [false; 4],
            loops: Vec::new(),
            position: 0,
        };
        planner.regions(function);
        planner
    }

    fn regions(&mut self, op: OperationRef<'c, 'a>) {
        for region in op.regions() {
            let mut next = region
                .first_block()
                .and_then(|block| block.first_operation());
            while let Some(op) = next {
                self.operation(op);
                next = op.next_in_block();
            }
        }
    }

    fn operation(&mut self, op: OperationRef<'c, 'a>) {
        self.position += 1;
        for row in statement::rows(self.profile, op) {
            for place in row.places() {
                self.touch(op, place);
            }
        }
        if !matches!(view::name(&op), "scf.for" | "scf.while") {
            return self.regions(op);
        }
        self.loops.push((op, Vec::new()));
        self.regions(op);
        self.position += 1;
        let (_, touched) = self.loops.pop().unwrap_or((op, Vec::new()));
        for tile in touched {
            self.tiles[tile].last = self.position;
        }
    }

    fn touch(&mut self, op: OperationRef<'c, 'a>, place: Place<'c, 'a>) {
        let (owner, list, index, value) = match place {
            Place::Slot(slot) => return self.slots[slot as usize] = true,
            Place::Scratch(index, like) => (op, "scratch", index, like),
            Place::Tile(value) => match plan::slot_of(value) {
                Some((owner, list, index)) => (owner, list, index, value),
                None => return,
            },
        };
        let tile = match self.by_value.get(&bridge::value_key(value)) {
            Some(&tile) if list != "scratch" => tile,
            _ => self.add(Owner {
                op: owner,
                list,
                index,
                value,
            }),
        };
        self.tiles[tile].last = self.position;
        // Touched in a loop that it was not defined in: alive to the loop's end.
        for (around, touched) in &mut self.loops {
            if !encloses(*around, owner) && !touched.contains(&tile) {
                touched.push(tile);
            }
        }
    }

    fn add(&mut self, owner: Owner<'c, 'a>) -> usize {
        let bytes = Layout::of(self.profile, owner.value).map_or(0, |layout| layout.bytes());
        let tile = self.tiles.len();
        self.tiles.push(Tile {
            bytes,
            first: self.position,
            last: self.position,
            offset: 0,
        });
        if owner.list != "scratch" {
            self.by_value.insert(bridge::value_key(owner.value), tile);
        }
        self.owners.push(owner);
        tile
    }

    fn plan(mut self, always_reuse: bool) -> Result<MemoryMap, Reported> {
        let slot_bytes = self.slot_bytes();
        let budget = self.profile.ub_bytes - slot_bytes;
        let sum = self
            .tiles
            .iter()
            .fold(0i64, |sum, tile| sum.saturating_add(tile.bytes));
        let bytes = if always_reuse || sum > budget {
            squeeze(&mut self.tiles)
        } else {
            spread(&mut self.tiles)
        };
        if bytes > budget {
            self.report(bytes.saturating_add(slot_bytes));
            return Err(Reported);
        }
        self.write(bytes);
        Ok(self.map(bytes))
    }

    /// The plan as a picture shows it, of tiles in so many bytes.
    fn map(&self, bytes: i64) -> MemoryMap {
        let tiles = self.owners.iter().zip(&self.tiles);
        let of_tile = |(owner, tile): (&Owner, &Tile)| {
            let name = match owner.list {
                "scratch" => Some(format!("scratch of {}", view::name(&owner.op))),
                _ => bridge::location_name(owner.value.location()).map(str::to_owned),
            };
            Entry {
                name: name.unwrap_or_else(|| view::name(&owner.op).to_owned()),
                offset: tile.offset,
                bytes: tile.bytes,
                first: tile.first,
                last: tile.last,
            }
        };
        let slots = Entry {
            name: "slots of scalars and signals".into(),
            offset: bytes,
            bytes: self.slot_bytes(),
            first: 0,
            last: self.position,
        };
        let slots = Some(slots).filter(|slots| slots.bytes > 0);
        MemoryMap {
            function: view::string(&self.function, "sym_name").unwrap_or_default(),
            entries: tiles.map(of_tile).chain(slots).collect(),
            peak: bytes + self.slot_bytes(),
            bound: self.need(self.peak()) + self.slot_bytes(),
            budget: self.profile.ub_bytes,
            end: self.position,
        }
    }

    fn write(&self, bytes: i64) {
        let context = bridge::context_of(&self.function);
        let mut end = bytes;
        let slots = self.slots.map(|used| {
            let offset = end;
            end += if used { Slot::BYTES } else { 0 };
            if used { offset } else { -1 }
        });
        let lists = Lists::from([("bytes", vec![end]), ("slots", slots.to_vec())]);
        plan::write(context, self.function, &lists);
        let mut written: Vec<(OperationRef, Lists)> = Vec::new();
        for (owner, tile) in self.owners.iter().zip(&self.tiles) {
            let known = written.iter().position(|(op, _)| *op == owner.op);
            let at = known.unwrap_or_else(|| {
                written.push((owner.op, Lists::new()));
                written.len() - 1
            });
            let list = written[at].1.entry(owner.list).or_default();
            list.resize(list.len().max(owner.index + 1), -1);
            list[owner.index] = tile.offset;
        }
        for (op, lists) in written {
            plan::write(context, op, &lists);
        }
    }

    fn slot_bytes(&self) -> i64 {
        Slot::BYTES * self.slots.iter().filter(|&&used| used).count() as i64
    }

    /// Bytes of the tiles that are alive at a statement.
    fn need(&self, position: usize) -> i64 {
        let alive = self.tiles.iter().filter(|tile| tile.lives_at(position));
        alive.fold(0i64, |sum, tile| sum.saturating_add(tile.bytes))
    }

    /// The statement where most is needed.
    fn peak(&self) -> usize {
        (0..=self.position)
            .max_by_key(|&position| self.need(position))
            .unwrap_or(0)
    }

    /// 301, with the tiles that are alive where most is needed.
    fn report(&self, bytes: i64) {
        let peak = self.peak();
        let name = view::string(&self.function, "sym_name").unwrap_or_default();
        let mut report = diag::error_at(
            self.function.location(),
            Code(301),
            format!(
                "in-core function @{name} needs {bytes} bytes of on-core memory, but {} has {}",
                self.profile.name, self.profile.ub_bytes
            ),
        )
        .note("use smaller tiles, or fewer at a time");
        for (owner, tile) in self.owners.iter().zip(&self.tiles) {
            if tile.lives_at(peak) {
                let at: Location = owner.op.location();
                let what = owner.value.r#type();
                report = report.note_at(
                    at,
                    format!("alive at the peak: {what}, {} bytes", tile.bytes),
                );
            }
        }
        report.emit();
    }
}

/// Whether `op` stands inside `around`.
fn encloses(around: OperationRef, op: OperationRef) -> bool {
    let mut parent = op.parent_operation();
    while let Some(op) = parent {
        if op == around {
            return true;
        }
        parent = op.parent_operation();
    }
    false
}
