//! What reaches other ranks: remote tiles, signals, transfers, collectives.

use super::{Function, Kind, Type, Value, memory::Region, types::ELEMENTS};

impl Function<'_> {
    pub(super) fn remote(&mut self) {
        let element = self.element(ELEMENTS);
        let peer = self.scalar("index").name;
        if self.in_at || self.random.bool() {
            let value = self.some_value(element);
            let Region {
                memory,
                offsets,
                valid,
            } = self.region(true, true, &value.of, true);
            let atomic = self.atomic(&value.of);
            self.line(&format!(
                "pld.remote_store {}, {}{offsets}{valid} to {peer}{atomic} : {}, {}",
                value.name, memory.name, value.of, memory.of
            ));
            return;
        }
        let of = self.some_type(element);
        let Region {
            memory,
            offsets,
            valid,
        } = self.region(true, false, &of, true);
        let pad = self.pad(element);
        let text = format!(
            "pld.remote_load {}{offsets}{valid}{pad} from {peer} : {} -> {of}",
            memory.name, memory.of
        );
        // Its value is used, and there is a write between it and the next: else it may go.
        let value = self.result(of, &text);
        self.store(&value);
    }

    /// A window of i32.
    fn signal_window(&mut self) -> Value {
        let element = self.element(&["i32"]);
        let extents = vec![Some(1); self.random.usize(1..=4)];
        self.memory(true, true, &extents, element)
    }

    pub(super) fn signal(&mut self) {
        match self.random.u8(..12) {
            0..=2 => return self.barrier(),
            3 => return self.line("pl.sync_blocks"),
            _ => {}
        }
        let signal = self.signal_window();
        let ones = vec![Some(1); signal.of.extents().len()];
        let (offsets, value) = (self.offsets(&signal, &ones), self.scalar("i32").name);
        let (signal, of) = (signal.name, signal.of);
        if self.random.bool() {
            let (how, peer) = (self.pick(&["add", "set"]), self.scalar("index").name);
            self.line(&format!(
                "pld.notify {how} {value}, {signal}{offsets} to {peer} : {of}"
            ));
        } else {
            let how = self.pick(&["eq", "ne", "gt", "ge", "lt", "le"]);
            self.line(&format!("pld.wait {how} {value}, {signal}{offsets} : {of}"));
        }
    }

    pub(super) fn barrier(&mut self) {
        let signal = self.signal_window();
        self.line(&format!("pld.barrier {} : {}", signal.name, signal.of));
    }

    /// Numbers of a window's group; extents.
    pub(super) fn query(&mut self) {
        match self.random.u8(..4) {
            0 | 1 => {
                let window = self.any_memory(true, false);
                let text = format!("pld.get_comm_ctx {} : {}", window.name, window.of);
                let ctx = self.result(Type::Other("!pld.comm_ctx"), &text);
                let name = self.pick(&["rank", "nranks"]);
                self.result(Type::Scalar("index"), &format!("pld.{name} {}", ctx.name));
            }
            2 => {
                let window = self.random.bool();
                let memory = self.any_memory(window, false);
                let dim = self.number(memory.of.extents().len() as i64 - 1);
                let text = format!("pl.dim {}, {dim} : {}", memory.name, memory.of);
                self.result(Type::Scalar("index"), &text);
            }
            _ if self.kind == Kind::InCore || self.in_spmd || self.odd() => {
                let name = self.pick(&["block_idx", "block_num"]);
                self.result(Type::Scalar("index"), &format!("pl.{name}"));
            }
            _ => {}
        }
    }

    pub(super) fn transfer(&mut self) {
        let (put, element) = (self.random.bool(), self.element(ELEMENTS));
        let local_is_window = self.random.bool();
        let (source_is_window, destination_is_window) = if put {
            (local_is_window, true)
        } else {
            (true, local_is_window)
        };
        let sizes: Vec<_> = (0..self.random.usize(1..=4))
            .map(|_| (!self.chance(25)).then(|| self.extent()))
            .collect();
        let whole = self.chance(40);
        let (source, destination, region);
        if whole {
            // One of the two may know more of the shape.
            let known: Vec<_> = sizes
                .iter()
                .map(|size| size.filter(|_| !self.chance(20)))
                .collect();
            source = self.new_memory(source_is_window, false, sizes.clone(), element);
            destination = self.new_memory(destination_is_window, true, known, element);
            region = [const { String::new() }; 3];
        } else {
            source = self.memory(source_is_window, false, &sizes, element);
            destination = self.memory(destination_is_window, true, &sizes, element);
            let spelled: Vec<_> = sizes
                .iter()
                .map(|size| match size {
                    Some(size) => size.to_string(),
                    None => self.scalar("index").name,
                })
                .collect();
            region = [
                self.offsets(&source, &sizes),
                self.offsets(&destination, &sizes),
                format!(" sizes [{}]", spelled.join(", ")),
            ];
        }
        let (name, to) = if put { ("put", "to") } else { ("get", "from") };
        let (peer, chunks) = (self.scalar("index").name, self.chunks(&sizes));
        let atomic = if put {
            self.atomic(&destination.of)
        } else {
            ""
        };
        self.line(&format!(
            "pld.{name} {}{}, {}{}{} {to} {peer}{atomic}{chunks} : {}, {}",
            source.name,
            region[0],
            destination.name,
            region[1],
            region[2],
            source.of,
            destination.of
        ));
    }

    /// The staging tile's extents, where they are needed or wanted.
    fn chunks(&mut self, sizes: &[Option<i64>]) -> String {
        let (last, leading) = sizes.split_last().unwrap_or((&Some(1), &[]));
        let pipeline = self.chance(20);
        let mut parts = Vec::new();
        if (leading.contains(&None) || pipeline || self.chance(20)) && !self.odd() {
            parts.push(format!("chunk_rows = {}", self.extent()));
        }
        if (last.is_none() || pipeline || self.chance(20)) && !self.odd() {
            parts.push(format!("chunk_cols = {}", self.extent()));
        }
        if pipeline {
            parts.push("pipeline".into());
        }
        if parts.is_empty() {
            String::new()
        } else {
            format!(" {{{}}}", parts.join(", "))
        }
    }

    pub(super) fn collective(&mut self) {
        let element = self.element(ELEMENTS);
        let n = (!self.chance(30)).then(|| self.extent());
        let width = (!self.chance(20)).then(|| self.extent());
        let name = self.pick(&[
            "allreduce",
            "broadcast",
            "reduce_scatter",
            "allgather",
            "all_to_all",
            "all_to_all_v",
        ]);
        // New memory for each: one buffer must not serve twice.
        let (comma_signal, colon_signal) = self.collective_signal();
        let how = self.pick(&["sum ", "max ", "min ", "prod "]);
        let (how, root, algorithm) = match name {
            "allreduce" => (how, String::new(), self.algorithm()),
            "reduce_scatter" => (how, String::new(), ""),
            "broadcast" => ("", format!(" root {}", self.number(7)), ""),
            _ => {
                let rows = if name == "allgather" { Some(1) } else { n };
                self.exchange(name, rows, n, width, element);
                return;
            }
        };
        let data = self.new_memory(true, true, vec![n, width], element);
        self.line(&format!(
            "pld.{name} {how}{}{comma_signal}{root}{algorithm} : {}{colon_signal}",
            data.name, data.of
        ));
    }

    fn algorithm(&mut self) -> &'static str {
        if self.odd() {
            return " {algorithm = \"best\"}";
        }
        self.pick(&[
            "",
            " {algorithm = \"mesh\"}",
            " {algorithm = \"ring\"}",
            " {algorithm = \"auto\"}",
        ])
    }

    /// `, %signal` and `, TYPE`; on the host maybe nothing.
    fn collective_signal(&mut self) -> (String, String) {
        if (self.kind == Kind::Host || self.odd()) && self.random.bool() {
            return (String::new(), String::new());
        }
        let (element, n) = (self.element(&["i32"]), self.extent());
        let signal = self.new_memory(true, true, vec![Some(n), Some(1)], element);
        (format!(", {}", signal.name), format!(", {}", signal.of))
    }

    fn exchange(
        &mut self,
        name: &str,
        rows: Option<i64>,
        n: Option<i64>,
        width: Option<i64>,
        element: &'static str,
    ) {
        let window = self.random.bool();
        let source = self.new_memory(window, false, vec![rows, width], element);
        let destination = self.new_memory(true, true, vec![n, width], element);
        let (comma_signal, colon_signal) = self.collective_signal();
        let (mut counts, mut types) = (String::new(), String::new());
        if name == "all_to_all_v" {
            let (window, element) = (self.random.bool(), self.element(&["i32"]));
            let send = self.new_memory(window, false, vec![n, Some(1)], element);
            let receive = self.new_memory(true, true, vec![n, Some(1)], element);
            counts = format!(" counts {}, {}", send.name, receive.name);
            types = format!(" counts {}, {}", send.of, receive.of);
        }
        let destination_name = if self.odd() {
            &source.name
        } else {
            &destination.name
        };
        let text = format!(
            "pld.{name} {} into {destination_name}{comma_signal}{counts} : {}, {}{colon_signal}{types}",
            source.name, source.of, destination.of
        );
        self.line(&text);
    }
}
