//! Whole programs against their goldens, at several world sizes, in order and late.

use super::harness::{Array, built, register};
use crate::cpu::{
    harness::compiled,
    values::{Random, Type},
};
use pld_dialects::{
    Direction, Kind, arg_direction, bridge, entry_arguments, function_kind,
    melior::ir::{Module, Value, ValueLike, operation::OperationLike},
    types::{DYNAMIC, Shaped},
    view,
};
use pld_lowering::{cpu::CompileOptions, hccl::check_target};

/// World sizes that a program admits among `wanted`, and its arrays on `n` ranks.
pub struct Entry {
    sizes: Vec<i64>,
    arrays: Vec<(Type, Vec<i64>, Direction)>,
    golden: String,
}

/// The entry of this name.
pub fn entry(text: &str, name: &str) -> Entry {
    let context = pld_dialects::context();
    let module = Module::parse(&context, text).expect("parses");
    let functions = bridge::collect(module.as_operation(), |name| name == "func.func");
    let find = |wanted: &str| {
        let mut all = functions.iter().copied();
        all.find(|function| view::string(function, "sym_name").as_deref() == Some(wanted))
    };
    let host = find(name).expect("the entry");
    let array = |(index, value): (usize, Value)| {
        let shaped = Shaped::of(value.r#type()).expect("an array");
        let element = shaped.element().expect("a number").name();
        let r#type = Type::ALL
            .into_iter()
            .find(|t| t.name() == element)
            .expect("a type");
        (r#type, shaped.shape, arg_direction(&host, index))
    };
    let golden = functions
        .iter()
        .find(|function| match view::symbol(*function, "pl.golden") {
            Some(of) => of == name,
            None => function.has_attribute("pl.golden"),
        });
    Entry {
        sizes: view::integers(&host, "pld.world_sizes").unwrap_or_default(),
        arrays: entry_arguments(host)
            .into_iter()
            .enumerate()
            .map(array)
            .collect(),
        golden: golden
            .and_then(|golden| view::string(golden, "sym_name"))
            .expect("a golden"),
    }
}

/// Names of the entries of a program.
pub fn entries(text: &str) -> Vec<String> {
    let context = pld_dialects::context();
    let module = Module::parse(&context, text).expect("parses");
    let functions = bridge::collect(module.as_operation(), |name| name == "func.func");
    let hosts = functions
        .into_iter()
        .filter(|function| function_kind(function) == Some(Kind::Host));
    hosts
        .filter_map(|host| view::string(&host, "sym_name"))
        .collect()
}

/// Whether the lowering knows all of an entry's operations.
pub fn is_lowered(text: &str, entry: &str) -> bool {
    register();
    let context = pld_dialects::context();
    let module = Module::parse(&context, text).expect("parses");
    let handler = context.attach_diagnostic_handler(|_| true);
    let lowered = check_target(module.as_operation(), entry, "a2a3").is_ok();
    context.detach_diagnostic_handler(handler);
    lowered
}

impl Entry {
    /// Its arguments on `n` ranks, of random small integers; what is written as it is before.
    pub fn arguments(&self, n: usize, random: &mut Random) -> Vec<Array> {
        let argument = |(r#type, shape, direction): &(Type, Vec<i64>, Direction)| {
            let bound = |&extent: &i64| match extent {
                DYNAMIC => n,
                extent => extent as usize,
            };
            let shape: Vec<_> = shape.iter().map(bound).collect();
            let count = shape.iter().product();
            let input = *direction != Direction::Out;
            let before = input.then(|| fill(random, *r#type, count));
            let zeros = || vec![0; count * r#type.bytes()];
            let after = (*direction != Direction::In).then(|| before.clone().unwrap_or_else(zeros));
            Array {
                r#type: *r#type,
                shape,
                input: before,
                output: after,
            }
        };
        self.arrays.iter().map(argument).collect()
    }

    /// Whether it runs on `n` ranks.
    pub fn admits(&self, n: usize) -> bool {
        self.sizes.is_empty() || self.sizes.contains(&(n as i64))
    }
}

/// Small integers: exact in every type, whatever the order of additions.
fn fill(random: &mut Random, r#type: Type, count: usize) -> Vec<u8> {
    let codes: Vec<_> = (0..count)
        .map(|_| {
            let value = random.below(16) as i64 - 8;
            if r#type.is_float() {
                r#type.nearest(value as f32)
            } else {
                r#type.wrap(value)
            }
        })
        .collect();
    r#type.encode(&codes)
}

#[track_caller]
fn check(text: &str, name: &str, sizes: &[i64]) {
    let entry = entry(text, name);
    let project = built(text, name);
    let reference = compiled(text, CompileOptions::default());
    let golden = reference.function(&entry.golden).expect("compiled");
    let mut random = Random::new(7);
    let mut ran = 0;
    for &n in sizes.iter().filter(|&&n| entry.admits(n as usize)) {
        let mut arrays = entry.arguments(n as usize, &mut random);
        // The golden works on copies, and turns the outputs into what is expected.
        let mut copies: Vec<_> = arrays
            .iter()
            .map(|array| array.output.clone().or(array.input.clone()))
            .collect();
        let words: Vec<_> = copies
            .iter_mut()
            .zip(&entry.arrays)
            .flat_map(|(copy, (_, shape, _))| {
                let extents = shape
                    .iter()
                    .filter(|&&extent| extent == DYNAMIC)
                    .map(|_| n as u64);
                let address = copy.as_mut().expect("a content").as_mut_ptr() as u64;
                [address].into_iter().chain(extents).collect::<Vec<_>>()
            })
            .collect();
        golden(std::ptr::null(), words.as_ptr());
        for (array, copy) in arrays.iter_mut().zip(copies) {
            if array.output.is_some() {
                array.output = copy;
            }
        }
        project.check(n as usize, &arrays);
        ran += 1;
    }
    assert!(ran > 0, "no world size is admitted");
}

macro_rules! programs {
    ($($test:ident: $file:literal, $entry:literal;)*) => {
        $(
            #[test]
            fn $test() {
                check(include_str!(concat!("../../../", $file)), $entry, &[1, 2, 3, 4, 7]);
            }
        )*
    };
}

programs! {
    shift_by_load: "examples/05_remote_load_store.mlir", "main";
    shift_by_store: "examples/05_remote_load_store.mlir", "store";
    barrier: "examples/04_barrier.mlir", "main";
    window: "examples/03_window_buffer.mlir", "main";
    allreduce: "test/programs/allreduce_hand.mlir", "main";
    epochs: "test/programs/epochs.mlir", "main";
    remote_store_halves: "test/programs/remote_store_halves.mlir", "main";
    signal_exchange: "test/programs/signal_exchange.mlir", "main";
    two_windows: "test/programs/two_windows.mlir", "main";
    gemm: "test/programs/gemm_sharded.mlir", "main";
    atomic_bf16: "test/programs/remote_store_atomic_bf16.mlir", "main";
    atomic_i8: "test/programs/remote_store_atomic_i8.mlir", "main";
}

/// The programs that are alike share a test: each takes seconds to build.
#[test]
#[ignore = "long"]
fn the_rest() {
    for text in [
        include_str!("../../../test/programs/all_to_all_hand.mlir"),
        include_str!("../../../test/programs/allgather_hand.mlir"),
        include_str!("../../../test/programs/broadcast_hand.mlir"),
        include_str!("../../../test/programs/reduce_scatter_hand.mlir"),
        include_str!("../../../test/programs/remote_store_atomic_f16.mlir"),
        include_str!("../../../test/programs/remote_store_atomic_f32.mlir"),
        include_str!("../../../test/programs/remote_store_atomic_i16.mlir"),
        include_str!("../../../test/programs/remote_store_atomic_i32.mlir"),
    ] {
        check(text, "main", &[1, 2, 3, 4, 7]);
    }
}
