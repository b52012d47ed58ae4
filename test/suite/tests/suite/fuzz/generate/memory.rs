//! Arrays and windows, and the operations that access the own ones.

use super::{
    Function, Type, Value,
    types::{ATOMIC, ELEMENTS},
};

/// Where an operation reaches into memory.
pub(super) struct Region {
    pub memory: Value,
    /// `[%i, 0]`.
    pub offsets: String,
    /// ` valid [%r, 29]`, or nothing.
    pub valid: String,
}

impl Function<'_> {
    /// Memory that holds a region of these extents (`None`: known when it runs), in scope or
    /// new.
    pub(super) fn memory(
        &mut self,
        window: bool,
        writable: bool,
        extents: &[Option<i64>],
        element: &'static str,
    ) -> Value {
        let writable = writable && !self.odd();
        let holds = |shape: &[Option<i64>]| {
            shape.len() == extents.len()
                && shape
                    .iter()
                    .zip(extents)
                    .all(|(size, extent)| size.unwrap_or(i64::MAX) >= extent.unwrap_or(0))
        };
        let fits = |value: &Value| match &value.of {
            Type::Memory {
                window: is_window,
                shape,
                element: of,
            } => {
                *is_window == window
                    && *of == element
                    && holds(shape)
                    && (value.writable || !writable)
            }
            _ => false,
        };
        if self.chance(50)
            && let Some(found) = self.find(fits)
        {
            return found;
        }
        let shape = extents
            .iter()
            .map(|extent| match extent {
                _ if self.chance(25) => None,
                Some(extent) => {
                    let slack = self.number(4);
                    Some(extent.saturating_add(slack).max(1))
                }
                None => Some(self.extent()),
            })
            .collect();
        self.new_memory(window, writable, shape, element)
    }

    /// New memory of this shape: an argument; on the host a window is a view of a buffer.
    pub(super) fn new_memory(
        &mut self,
        window: bool,
        writable: bool,
        shape: Vec<Option<i64>>,
        element: &'static str,
    ) -> Value {
        if window && self.kind == super::Kind::Host {
            return self.new_window(shape, element);
        }
        self.argument(Type::memory(window, shape, element), writable || window)
    }

    /// An entry of a mixed list: mostly the number, else a value.
    fn entry(&mut self, number: i64) -> String {
        if self.chance(30) {
            self.scalar("index").name
        } else {
            number.to_string()
        }
    }

    /// Offsets at which a region of these extents lies inside `memory`.
    pub(super) fn offsets(&mut self, memory: &Value, extents: &[Option<i64>]) -> String {
        let mut sizes = memory.of.extents().to_vec();
        if self.odd() {
            sizes.push(Some(1));
        }
        let entries: Vec<_> = sizes
            .iter()
            .enumerate()
            .map(|(dim, size)| {
                let extent = extents.get(dim).copied().flatten().unwrap_or(0);
                let room = size.map_or(7, |size| size.saturating_sub(extent));
                let number = self.number(room);
                self.entry(number)
            })
            .collect();
        format!("[{}]", entries.join(", "))
    }

    /// One to four leading dims and then the two of a value: what it covers of memory.
    fn dims(&mut self, rows: Option<i64>, cols: Option<i64>) -> Vec<Option<i64>> {
        if rows == Some(1) && self.chance(30) {
            return vec![cols];
        }
        let mut extents = vec![Some(1); self.random.usize(..3)];
        extents.extend([rows, cols]);
        extents
    }

    /// A region that a tile or tensor covers, or with `valid` a part of it.
    pub(super) fn region(
        &mut self,
        window: bool,
        writable: bool,
        value: &Type,
        may_be_valid: bool,
    ) -> Region {
        let (rows, cols, element) = match value {
            Type::Value {
                rows,
                cols,
                element,
                ..
            } => (*rows, *cols, *element),
            _ => (1, 1, "f32"),
        };
        let (mut part, mut valid) = ([Some(rows), Some(cols)], String::new());
        if may_be_valid && self.chance(40) {
            let entries = [rows, cols].map(|extent| {
                let number = self.number(extent);
                let text = self.entry(number);
                (text.parse().ok(), text)
            });
            part = [entries[0].0, entries[1].0];
            valid = format!(" valid [{}, {}]", entries[0].1, entries[1].1);
        }
        let extents = self.dims(part[0], part[1]);
        let memory = self.memory(window, writable, &extents, element);
        let offsets = self.offsets(&memory, &extents);
        Region {
            memory,
            offsets,
            valid,
        }
    }

    /// ` pad(%v : f32)`, or nothing.
    pub(super) fn pad(&mut self, element: &'static str) -> String {
        if self.chance(70) {
            return String::new();
        }
        let value = self.scalar(element);
        format!(" pad({} : {})", value.name, value.of)
    }

    /// ` atomic add` of what can be added, or nothing.
    pub(super) fn atomic(&mut self, of: &Type) -> &'static str {
        let (Type::Value { element, .. } | Type::Memory { element, .. }) = of else {
            return "";
        };
        let wanted = ATOMIC.contains(element) && self.chance(30);
        if wanted || self.odd() {
            " atomic add"
        } else {
            ""
        }
    }

    /// A tile out of memory, or a tensor.
    pub(super) fn load(&mut self, of: Type) -> Value {
        let window =
            self.random.bool() && matches!(of, Type::Value { element, .. } if element != "i1");
        let region = self.region(window, false, &of, !self.in_at);
        let Region {
            memory,
            offsets,
            valid,
        } = region;
        let (from, name) = (&memory.of, &memory.name);
        let text = match of {
            Type::Value { element, .. } if !self.in_at => {
                let pad = self.pad(element);
                format!("pl.load {name}{offsets}{valid}{pad} : {from} -> {of}")
            }
            _ => format!("pl.slice {name}{offsets} : {from} -> {of}"),
        };
        self.result(of, &text)
    }

    /// A value into memory.
    pub(super) fn store(&mut self, value: &Value) {
        let window = self.random.bool() && !matches!(value.of, Type::Value { element: "i1", .. });
        let region = self.region(window, true, &value.of, !self.in_at);
        let Region {
            memory,
            offsets,
            valid,
        } = region;
        let (value, of, name, to) = (&value.name, &value.of, &memory.name, &memory.of);
        if self.in_at {
            self.line(&format!(
                "pl.assemble {value}, {name}{offsets} : {of}, {to}"
            ));
        } else {
            let atomic = self.atomic(of);
            self.line(&format!(
                "pl.store {value}, {name}{offsets}{valid}{atomic} : {of}, {to}"
            ));
        }
    }

    /// A store of some value, or an access to one element.
    pub(super) fn memory_operation(&mut self) {
        let element = self.element(ELEMENTS);
        match self.random.u8(..4) {
            0 => {
                let value = self.some_value(element);
                self.store(&value);
            }
            1 => {
                let of = self.some_type(element);
                self.load(of);
            }
            kind => {
                let extents = vec![Some(1); self.random.usize(1..=4)];
                let window = self.random.bool();
                let memory = self.memory(window, kind == 2, &extents, element);
                let offsets = self.offsets(&memory, &extents);
                let (name, of) = (&memory.name, &memory.of);
                if kind == 2 {
                    let value = self.scalar(element);
                    self.line(&format!("pl.write {}, {name}{offsets} : {of}", value.name));
                } else {
                    self.result(
                        Type::Scalar(element),
                        &format!("pl.read {name}{offsets} : {of}"),
                    );
                }
            }
        }
    }

    /// Memory of any shape.
    pub(super) fn any_memory(&mut self, window: bool, writable: bool) -> Value {
        let element = self.element(ELEMENTS);
        let extents = vec![Some(1); self.random.usize(1..=4)];
        self.memory(window, writable, &extents, element)
    }
}
