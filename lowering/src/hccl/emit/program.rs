//! The program as a whole: names, the entry's arguments, window buffers, and the table of
//! them all in `host/program.cpp`.

use super::{
    cpp::{self, Side},
    function::{self, Signature},
    host, scalar,
    scope::{Base, Memory, Scope, unsupported},
    text::{Num, Text, call, line},
};
use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    Direction, Kind, arg_direction, bridge, diag,
    emit::Emitter,
    enclosing_function, entry_arguments, function_kind,
    pass::Reported,
    types::{DYNAMIC, Element, Shaped},
    view::{self, AllocWindowBuffer},
};
use std::collections::{HashMap, HashSet};

/// What the emitted functions share.
pub struct Program<'c, 'a> {
    /// The host function.
    pub entry: OperationRef<'c, 'a>,
    /// Device functions, in program order.
    pub devices: Vec<OperationRef<'c, 'a>>,
    /// In-core functions, in program order.
    pub kernels: Vec<OperationRef<'c, 'a>>,
    /// Whether some window belongs to a part of the ranks.
    pub groups: bool,
    signatures: HashMap<String, Signature<'c, 'a>>,
    buffers: Vec<OperationRef<'c, 'a>>,
}

impl<'c, 'a> Program<'c, 'a> {
    /// Of a module with one host function.
    pub fn of(module: OperationRef<'c, 'a>) -> Result<Self, Reported> {
        let functions = bridge::collect(module, |name| name == "func.func");
        let of_kind = |kind| -> Vec<_> {
            let all = functions.iter().copied();
            all.filter(|function| function_kind(function) == Some(kind))
                .collect()
        };
        let hosts = of_kind(Kind::Host);
        let &[entry] = &hosts[..] else {
            diag::failure(
                module.location(),
                format!(
                    "has {} pl.host functions, expected one (run pld-select-entry)",
                    hosts.len()
                ),
            )
            .emit();
            return Err(Reported);
        };
        let buffers = bridge::collect(entry, |name| name == "pld.alloc_window_buffer");
        let groups = buffers.iter().any(|buffer| buffer.has_attribute("ranks"));
        let mut program = Self {
            entry,
            devices: of_kind(Kind::Device),
            kernels: of_kind(Kind::InCore),
            groups,
            signatures: HashMap::new(),
            buffers,
        };
        program.name_functions(module);
        Ok(program)
    }

    fn name_functions(&mut self, module: OperationRef<'c, 'a>) {
        let groups = self.groups.then_some(module);
        let mut taken = HashSet::new();
        let sides = [(&self.kernels, Side::Kernel), (&self.devices, Side::Host)];
        for (functions, side) in sides {
            for &function in functions {
                let symbol = view::string(&function, "sym_name").unwrap_or_default();
                let base = cpp::word(&symbol);
                let mut name = base.clone();
                let mut number = 0;
                let signature = loop {
                    let signature = Signature::of(function, &name, side, groups);
                    // Kernels and host code may be compiled as one.
                    let names = [signature.launch.clone(), signature.name.clone()];
                    if names.iter().all(|name| !taken.contains(name)) {
                        taken.extend(names);
                        break signature;
                    }
                    number += 1;
                    name = format!("{base}_{number}");
                };
                self.signatures.insert(symbol, signature);
            }
        }
    }

    /// The parameters of a kernel or device function.
    pub fn signature(&self, symbol: &str) -> Result<&Signature<'c, 'a>, Reported> {
        self.signatures.get(symbol).ok_or_else(|| {
            diag::failure(
                self.entry.location(),
                format!("uses @{symbol}, which is no function of the program"),
            )
            .emit();
            Reported
        })
    }

    /// The number of a window buffer, in allocation order.
    pub fn buffer_number(&self, alloc: OperationRef) -> Result<usize, Reported> {
        let number = self.buffers.iter().position(|&buffer| buffer == alloc);
        number.ok_or_else(|| unsupported(alloc, "a window buffer outside the entry"))
    }

    /// Whether an operation stands in the entry.
    pub fn is_entry(&self, op: OperationRef<'c, 'a>) -> bool {
        enclosing_function(op) == Some(self.entry)
    }

    /// Binds the entry's arguments; `world` is the expression that knows them.
    pub fn bind_entry(
        &self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        world: &str,
    ) -> Result<(), Reported> {
        for (number, argument) in entry_arguments(self.entry).into_iter().enumerate() {
            let query = |what: &str, args: &[String], r#type, name: &str| {
                let value = call(at, &format!("{world}.{what}"), args, r#type, name);
                value.result(0).map(Value::from).map_err(|_| Reported)
            };
            let extent = |dim: usize| {
                let name = format!("{}_dim{dim}", function::argument_name(argument));
                let value = query(
                    "dim",
                    &[number.to_string(), dim.to_string()],
                    at.int_type(64),
                    &name,
                );
                value.map(Num::Value)
            };
            if let Some(memory) = Memory::new(argument.r#type(), Base::Replica(number), "", extent)
            {
                scope.bind_memory(argument, memory?);
                continue;
            }
            let r#type = scope.scalar_type(self.entry, argument.r#type())?;
            let spelling = cpp::scalar_name(argument.r#type()).unwrap_or("int64_t");
            let name = function::argument_name(argument);
            let value = query(
                &format!("scalar<{spelling}>"),
                &[number.to_string()],
                r#type,
                &name,
            )?;
            scope.bind(argument, value);
        }
        Ok(())
    }

    /// Emits `WindowBytes`: the bytes of each window buffer.
    pub fn window_bytes(&self, at: &Emitter<'c, 'a>) -> Result<(), Reported> {
        let world = cpp::opaque(at.context, "const pld::World&");
        let list = cpp::opaque(at.context, "std::vector<int64_t>");
        let emitted = function::raw_function(
            at,
            "WindowBytes",
            &[world],
            &["world".into()],
            Some(list),
            &[],
        )?;
        let at = &emitted.body;
        let mut scope = Scope::new(Side::Host);
        self.bind_entry(&mut scope, at, "world")?;
        let lvalue = cpp::r#type(
            at.context,
            "!emitc.lvalue<!emitc.opaque<\"std::vector<int64_t>\">>",
        );
        let empty = super::text::parse(at.context, "#emitc.opaque<\"\">");
        let name = at.str_attr("bytes");
        let bytes = at.value(
            "emitc.variable",
            &[],
            lvalue,
            &[("value", empty), (pld_dialects::pl::NAME, name)],
        );
        let mut done = HashSet::new();
        for &buffer in &self.buffers {
            let at = at.with_location(buffer.location());
            let alloc = AllocWindowBuffer::of(buffer).ok_or(Reported)?;
            let element = Element::of(alloc.element_type).map_or(1, Element::bytes);
            let mut size = Num::Known(element);
            for entry in alloc.sizes {
                if let view::Mixed::Dynamic(value) = entry {
                    compute(&mut scope, &at, buffer, value, &mut done)?;
                }
                size = size.mul(&at, scope.mixed(buffer, entry)?);
            }
            Text::default()
                .value(bytes)
                .lit(".push_back(")
                .num(size)
                .lit(");")
                .emit(&at, None);
        }
        let value = at.value("emitc.load", &[bytes], list, &[]);
        at.op("emitc.return", &[value], &[], &[]);
        Ok(())
    }

    /// The entry's arguments.
    pub fn arguments(&self) -> Result<Vec<Argument>, Reported> {
        let sharded = sharded_arguments(self.entry);
        let arguments = entry_arguments(self.entry).into_iter().enumerate();
        arguments
            .map(|(number, value)| {
                let shaped = Shaped::of(value.r#type());
                let element = match &shaped {
                    Some(shaped) => shaped.element(),
                    None => Element::of(value.r#type()).or(Some(Element::I64)),
                };
                Ok(Argument {
                    name: function::argument_name(value),
                    kind: match &shaped {
                        Some(_) if sharded.contains(&number) => "WorldArray",
                        Some(_) => "Replicated",
                        None => "Scalar",
                    },
                    element: element
                        .ok_or_else(|| unsupported(self.entry, "an argument of this type"))?,
                    shape: shaped.map(|shaped| shaped.shape).unwrap_or_default(),
                    direction: arg_direction(&self.entry, number),
                })
            })
            .collect()
    }

    /// Emits the program's table and `main`.
    pub fn table(&self, at: &Emitter<'c, 'a>) -> Result<(), Reported> {
        let name = view::string(&self.entry, "sym_name").unwrap_or_default();
        line(at, "const pld::Program kProgram = {");
        line(at, format!("    {name:?},"));
        line(at, "    {");
        for argument in self.arguments()? {
            line(at, argument.table_entry());
        }
        line(at, "    },");
        let sizes = view::integers(&self.entry, "pld.world_sizes").unwrap_or_default();
        let sizes: Vec<_> = sizes.iter().map(i64::to_string).collect();
        line(at, format!("    {{{}}},", sizes.join(", ")));
        line(at, "    WindowBytes,");
        line(at, "    Main,");
        line(at, "};");
        line(at, "");
        line(at, "}  // namespace");
        line(at, "");
        line(
            at,
            "int main(int argc, char** argv) { return pld::Run(kProgram, argc, argv); }",
        );
        Ok(())
    }

    /// Emits `host/program.cpp`.
    pub fn host_file(&self, at: &Emitter<'c, 'a>) -> Result<(), Reported> {
        let name = view::string(&self.entry, "sym_name").unwrap_or_default();
        line(
            at,
            format!(
                "// Host function @{name}. Every rank runs it; a dispatch takes place on its rank only."
            ),
        );
        line(at, "#include \"runner.h\"");
        line(at, "");
        line(at, "#include \"../kernels/launch.h\"");
        line(at, "");
        line(at, "namespace {");
        line(at, "");
        for &device in &self.devices {
            let at = at.with_location(device.location());
            host::device(self, &at, device)?;
        }
        let inner = at.with_location(self.entry.location());
        self.window_bytes(&inner)?;
        host::main(self, &inner, self.entry)?;
        self.table(at)
    }
}

/// An argument of the entry.
pub struct Argument {
    name: String,
    kind: &'static str,
    element: Element,
    shape: Vec<i64>,
    direction: Direction,
}

impl Argument {
    fn extents(&self, unknown: &str) -> String {
        let extents = self.shape.iter().map(|&extent| match extent {
            DYNAMIC => unknown.to_owned(),
            extent => extent.to_string(),
        });
        extents.collect::<Vec<_>>().join(", ")
    }

    fn direction(&self) -> &'static str {
        match self.direction {
            Direction::In => "In",
            Direction::Out => "Out",
            Direction::InOut => "InOut",
        }
    }

    /// Its line in the program's table.
    fn table_entry(&self) -> String {
        format!(
            "        {{{:?}, pld::Kind::{}, pld::DType::{}, {{{}}}, pld::Direction::{}}},",
            self.name,
            self.kind,
            self.element.name().to_uppercase(),
            self.extents("-1"),
            self.direction()
        )
    }

    /// Options of a command line that gives and takes it.
    pub fn option(&self, number: usize) -> String {
        let file = format!("{}.npy", self.name);
        match (self.kind, self.direction) {
            ("Scalar", _) => format!(" --arg {number}=1"),
            (_, Direction::In) => format!(" --arg {number}={file}"),
            (_, Direction::Out) => format!(" --out {number}={file}"),
            (_, Direction::InOut) => format!(" --arg {number}={file} --out {number}={file}"),
        }
    }

    /// Its row in the project's README.
    pub fn table_row(&self, number: usize) -> String {
        let shape = match self.kind {
            "Scalar" => self.element.name().to_owned(),
            _ => format!("[{}] {}", self.extents("?"), self.element),
        };
        format!(
            "| {number}: `{}` | {} | {shape} | {} |",
            self.name,
            self.kind,
            self.direction()
        )
    }
}

/// Emits what a size is computed from: only `arith`, the world size and extents.
fn compute<'c, 'a>(
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    alloc: OperationRef<'c, 'a>,
    value: Value<'c, 'a>,
    done: &mut HashSet<usize>,
) -> Result<(), Reported> {
    let Some(op) = view::defining_op(value) else {
        // The entry's arguments are bound; the counter of a loop is not.
        return scope.scalar(alloc, value).map(|_| ());
    };
    if !done.insert(bridge::value_key(value)) {
        return Ok(());
    }
    match view::name(&op) {
        "pld.world_size" => {
            let ranks = call(
                at,
                "static_cast<int64_t>",
                &["world.ranks".into()],
                at.int_type(64),
                "ranks",
            );
            scope.bind(value, ranks.result(0).map_err(|_| Reported)?.into());
            Ok(())
        }
        "pl.dim" | "memref.dim" => function::dim(scope, at, op),
        name if name.starts_with("arith.") => {
            for operand in op.operands() {
                compute(scope, at, alloc, operand, done)?;
            }
            scalar::emit(scope, at, op)
        }
        name => Err(unsupported(
            alloc,
            &format!(
                "a size computed by '{name}' (expected arith on the world size, extents and scalar arguments)"
            ),
        )),
    }
}

/// Numbers of the entry's arguments that are world arrays.
fn sharded_arguments(entry: OperationRef) -> HashSet<usize> {
    let arguments = entry_arguments(entry);
    bridge::collect(entry, |name| name == "pl.shard")
        .into_iter()
        .filter_map(|shard| {
            let mut source = shard.operand(0).ok()?;
            while let Some(cast) =
                view::defining_op(source).filter(|op| view::is(op, "memref.cast"))
            {
                source = cast.operand(0).ok()?;
            }
            arguments.iter().position(|&argument| argument == source)
        })
        .collect()
}
