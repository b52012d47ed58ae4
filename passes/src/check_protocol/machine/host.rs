//! What the host does: windows, arrays, slices, dispatches.

use super::{Array, Done, Frame, Here, Machine, Stop, Window, define, entry, get, int, set};
use crate::check_protocol::{
    code::{Entry, MemoryType, Operation, Slot, What},
    interval::Interval,
    value::{Int, Memory, Place, Value},
};
use pld_dialects::types::Element;
use pld_protocol::{Buffer, BufferId, BufferKind, Dispatched, Group, GroupId, SiteId, Step};
use std::rc::Rc;

impl<'p> Machine<'p> {
    pub(super) fn of_host(&mut self, frame: &mut Frame, operation: &'p Operation) -> Done {
        let site = operation.site;
        let value = match &operation.what {
            What::AllocWindow {
                sizes,
                element,
                ranks,
            } => self.alloc_window(frame, sizes, *element, ranks.as_deref()),
            What::View {
                buffer,
                sizes,
                shape,
            } => self.view(frame, *buffer, sizes, shape),
            What::Alloc { sizes, shape } => {
                let sizes = sizes.iter().map(|&size| int(frame, size)).collect();
                let function = &self.code.sites[site.index()].function;
                let name = format!("array allocated in @{function}");
                self.array(name, shape, sizes, None)
            }
            What::Dispatch {
                callee,
                arguments,
                rank,
            } => {
                let values = arguments.iter().map(|&slot| get(frame, slot)).collect();
                return self.dispatch(frame, site, *callee, values, *rank);
            }
            _ => Value::Other,
        };
        define(frame, &operation.results, vec![value]);
        Ok(())
    }

    fn alloc_window(
        &mut self,
        frame: &Frame,
        sizes: &[Entry],
        element: Element,
        ranks: Option<&[i64]>,
    ) -> Value {
        let sizes = sizes
            .iter()
            .map(|&size| entry(frame, size).range.as_point());
        let bytes = sizes
            .into_iter()
            .try_fold(element.bytes() as u64, |bytes, size| {
                bytes.checked_mul(u64::try_from(size?).ok()?)
            });
        let members: Vec<u32> = match ranks {
            Some(ranks) => ranks
                .iter()
                .filter_map(|&rank| u32::try_from(rank).ok())
                .collect(),
            None => (0..self.world).collect(),
        };
        let group = self.group(members.clone());
        let buffer = self.buffer(Buffer {
            name: format!("window buffer {}", self.windows.len()),
            bytes: bytes.unwrap_or(u64::MAX),
            kind: BufferKind::Window(group),
        });
        self.windows.push(Window {
            buffer,
            group,
            members: members.into(),
        });
        Value::Buffer(self.windows.len() - 1)
    }

    fn group(&mut self, members: Vec<u32>) -> GroupId {
        let groups = &mut self.skeleton.groups;
        let known = groups.iter().position(|group| group.members == members);
        let place = known.unwrap_or_else(|| {
            groups.push(Group { members });
            groups.len() - 1
        });
        GroupId(place as u32)
    }

    pub(super) fn buffer(&mut self, buffer: Buffer) -> BufferId {
        self.skeleton.buffers.push(buffer);
        BufferId(self.skeleton.buffers.len() as u32 - 1)
    }

    fn view(&self, frame: &Frame, buffer: Slot, sizes: &[Slot], shape: &MemoryType) -> Value {
        let Value::Buffer(window) = get(frame, buffer) else {
            return Value::Other;
        };
        let sizes = sizes.iter().map(|&size| int(frame, size));
        let memory = Memory::new(Place::Window(window), shape, sizes);
        Value::Memory(Rc::new(vec![memory]))
    }

    pub(super) fn array(
        &mut self,
        name: String,
        shape: &MemoryType,
        sizes: Vec<Int>,
        input: Option<(usize, bool)>,
    ) -> Value {
        let place = Place::Array(self.arrays.len());
        let memory = Memory::new(place, shape, sizes.into_iter());
        self.arrays.push(Array {
            name,
            bytes: memory.bytes().unwrap_or(u64::MAX),
            input,
            buffer: None,
        });
        Value::Memory(Rc::new(vec![memory]))
    }

    /// The slices of a rank.
    pub(super) fn shard(&self, memories: &[Memory], rank: Int) -> Option<Value> {
        let slice = |memory: &Memory| {
            let mut slice = memory.clone();
            slice.shape.remove(0);
            let rank = u64::try_from(rank.range.as_point()?).ok()?;
            slice.base = slice.bytes()?.checked_mul(rank)?.checked_add(memory.base)?;
            Some(slice)
        };
        let is_known = |memory: &&Memory| !memory.shape.is_empty();
        let slices = memories.iter().filter(is_known).map(|memory| {
            slice(memory).unwrap_or_else(|| Memory {
                shape: memory.shape[1..].to_vec(),
                is_anywhere: true,
                ..memory.clone()
            })
        });
        Some(Value::Memory(Rc::new(slices.collect())))
    }

    fn dispatch(
        &mut self,
        frame: &mut Frame,
        site: SiteId,
        callee: usize,
        arguments: Vec<Value>,
        slot: Slot,
    ) -> Done {
        let given = int(frame, slot);
        // Outside of the world nothing starts: the run says so.
        let Some(range) = given
            .range
            .meet(Interval::new(0, i64::from(self.world) - 1))
        else {
            return Ok(());
        };
        let options = (range.hi - range.lo + 1) as usize;
        let rank = match options {
            1 => range.lo,
            _ => {
                let text = |option| format!("the dispatch is on rank {}", range.lo + option as i64);
                let chosen = self.choices.choose(given.origin, options, site, 0, text);
                range.lo + chosen as i64
            }
        };
        set(frame, slot, Value::Int(Int::point(rank)));
        let process = rank as usize;
        if self.stopped.contains(&process) {
            return Ok(());
        }
        let host = self.here.replace(Here {
            process,
            rank: rank as u32,
            block: None,
        });
        let name = self.code.functions[callee].name.clone();
        let done = self.inside(Step::Dispatch(site, name), |machine| {
            machine.dispatched();
            machine.function(callee, arguments)
        });
        self.here = host;
        match done {
            Err(Stop::Process) => {
                self.stopped.insert(process);
                Ok(())
            }
            done => done.map(|_| ()),
        }
    }

    /// Writes down that a dispatch takes place.
    fn dispatched(&mut self) {
        let rank = self.rank();
        let path = self.path();
        self.skeleton.dispatched.push(Dispatched { rank, path });
    }
}
