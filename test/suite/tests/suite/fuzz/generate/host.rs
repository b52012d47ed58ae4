//! What stands on the host: windows, dispatches; and upstream's operations on arrays.

use super::{Function, Kind, Type, Value, types::ELEMENTS};
use std::fmt::Write;

impl Function<'_> {
    /// A view of a new buffer, before all else; oddly where it is used, maybe in a loop.
    pub(super) fn new_window(&mut self, shape: Vec<Option<i64>>, element: &'static str) -> Value {
        let (buffer, alloc) = self.buffer(&shape, element);
        let extents: Vec<_> = (0..shape.iter().filter(|extent| extent.is_none()).count())
            .map(|_| self.argument(Type::Scalar("index"), false).name)
            .collect();
        let (name, of) = (self.name(), Type::memory(true, shape, element));
        let extents = brackets(&extents);
        let window = format!("{name} = pld.window {buffer}{extents} : {of}");
        let value = Value {
            name,
            of,
            writable: true,
        };
        if self.odd() {
            self.line(&alloc);
            self.line(&window);
            self.values.push(value.clone());
        } else {
            let _ = writeln!(self.prologue, "  {alloc}\n  {window}");
            self.early.push(value.clone());
        }
        value
    }

    /// The name of a buffer that holds a view of this shape, and what allocates it.
    fn buffer(&mut self, shape: &[Option<i64>], element: &'static str) -> (String, String) {
        let sizes: Vec<_> = shape
            .iter()
            .map(|extent| match extent {
                Some(extent) => extent.saturating_add(self.number(3)).to_string(),
                None => self.argument(Type::Scalar("index"), false).name,
            })
            .collect();
        let group = if self.odd() {
            self.pick(&[
                " {ranks = array<i64>}",
                " {ranks = array<i64: 1, 1>}",
                " {ranks = array<i64: -9223372036854775808>}",
                " {ranks = 1}",
            ])
        } else {
            self.pick(&[
                "",
                "",
                "",
                " {ranks = array<i64: 0, 1>}",
                " {ranks = array<i64: 3>}",
            ])
        };
        let (name, sizes) = (self.name(), sizes.join(", "));
        let alloc = format!("{name} = pld.alloc_window_buffer [{sizes}] of {element}{group}");
        (name, alloc)
    }

    /// A view where it is used.
    pub(super) fn view(&mut self) {
        let (element, extent) = (self.element(ELEMENTS), self.extent());
        let shape = [Some(extent), (!self.chance(50)).then_some(1)];
        let (buffer, alloc) = self.buffer(&shape, element);
        let _ = writeln!(self.prologue, "  {alloc}");
        let world = self.result(Type::Scalar("index"), "pld.world_size");
        let extents = if shape[1].is_none() {
            brackets(&[world.name])
        } else {
            String::new()
        };
        let of = Type::memory(true, shape.to_vec(), element);
        let text = format!("pld.window {buffer}{extents} : {of}");
        self.result(of, &text);
        if let Some(view) = self.values.last_mut() {
            view.writable = true;
        }
    }

    pub(super) fn dispatch(&mut self) {
        let Some(callee) = self.callee(Kind::Device) else {
            return;
        };
        let actuals: Vec<_> = callee
            .parameters
            .iter()
            .map(|parameter| match &parameter.of {
                Type::Memory {
                    window: false,
                    shape,
                    element,
                } if shape.len() < 4 && self.chance(50) => {
                    self.shard(shape.clone(), element, parameter.writable)
                }
                _ => self.actual(parameter),
            })
            .collect();
        let rank = self.scalar("index").name;
        let names: Vec<_> = actuals.iter().map(|value| value.name.clone()).collect();
        let types: Vec<_> = actuals.iter().map(|value| value.of.to_string()).collect();
        self.line(&format!(
            "pld.dispatch {}({}) on {rank} : ({})",
            callee.name,
            names.join(", "),
            types.join(", ")
        ));
    }

    /// A rank's slice of a new world array.
    fn shard(&mut self, shape: Vec<Option<i64>>, element: &'static str, writable: bool) -> Value {
        let world = [vec![None], shape.clone()].concat();
        let array = self.argument(Type::memory(false, world, element), writable);
        let (rank, of) = (
            self.scalar("index").name,
            Type::memory(false, shape, element),
        );
        let text = format!("pl.shard {}[{rank}] : {} -> {of}", array.name, array.of);
        self.result(of, &text);
        let slice = self.values.last_mut().expect("it was pushed just now");
        slice.writable = writable;
        slice.clone()
    }

    /// `memref.alloc`, `memref.cast`, `memref.dim`.
    pub(super) fn memref_operation(&mut self) {
        let (element, extent) = (self.element(ELEMENTS), self.extent());
        let shape = vec![Some(extent), Some(8)];
        let of = Type::memory(false, shape, element);
        let array = self.result(of.clone(), &format!("memref.alloc() : {of}"));
        let cast = Type::memory(false, vec![None, Some(8)], element);
        let text = format!("memref.cast {} : {} to {cast}", array.name, array.of);
        let cast = self.result(cast, &text);
        let zero = self.result(Type::Scalar("index"), "arith.constant 0 : index");
        let text = format!("memref.dim {}, {} : {}", cast.name, zero.name, cast.of);
        self.result(Type::Scalar("index"), &text);
    }
}

fn brackets(entries: &[String]) -> String {
    if entries.is_empty() {
        String::new()
    } else {
        format!("[{}]", entries.join(", "))
    }
}
