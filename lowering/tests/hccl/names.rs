//! Functions, arguments, windows and values of any name.

use super::harness::{Array, built};
use crate::cpu::values::Type;

/// Keywords, macros, types and functions of the system's headers, names of AscendC and HCCL, of
/// our own support files and of generated code, and what is no name in C++.
const NAMES: &[&str] = &[
    "main",
    "assert",
    "NULL",
    "INFINITY",
    "__gm__",
    "uint8_t",
    "blockIdx",
    "int",
    "GM_ADDR",
    "errno",
    "LocalTensor",
    "half",
    "std",
    "and",
    "__aicore__",
    "AscendC",
    "pipe_t",
    "PIPE_ALL",
    "event_t",
    "HcclComm",
    "aclInit",
    "write",
    "memcpy",
    "size_t",
    "EOF",
    "stdin",
    "linux",
    "pld",
    "Notify",
    "Sync",
    "PLD_TRY",
    "PLD_HERE",
    "pld_emu",
    "CommContext",
    "Rank",
    "Main",
    "kProgram",
    "WindowBytes",
    "rank",
    "world",
    "launch",
    "blocks",
    "stream",
    "workspace",
    "signal_slot",
    "arena",
    "pipe",
    "ctx",
    "ctx_arg",
    "v",
    "v1",
    "i",
    "own",
    "co_await",
    "char8_t",
    "größe",
    "a b",
    "0 a/b",
    "_",
    "__x",
    "0",
    "template",
];

/// A program of kernels and devices with these names, in pairs: each rank adds its number to
/// 8 numbers as often as there are pairs. Everything else has one of the names too.
fn program() -> (String, usize) {
    let mut next = NAMES.iter().cycle();
    let mut name = || next.next().expect("there are some");
    let mut text = String::new();
    let mut dispatches = String::new();
    let pairs: Vec<_> = NAMES.chunks_exact(2).collect();
    for pair in &pairs {
        let (kernel, device) = (pair[0], pair[1]);
        let [x, window, rank, number, loaded, sum] = [(); 6].map(|()| name());
        text += &format!(
            "func.func @\"{kernel}\"(%x: memref<1x8xi32> {{pl.inout}} loc(\"{x}\"), %w: !pld.dtensor<1x8xi32> loc(\"{window}\")) attributes {{pl.incore}} {{
               %ctx = pld.get_comm_ctx %w : !pld.dtensor<1x8xi32>
               %r = pld.rank %ctx loc(\"{rank}\")
               %k = arith.index_cast %r : index to i32 loc(\"{number}\")
               %t = pl.load %x[0, 0] : memref<1x8xi32> -> !pl.tile<1x8xi32> loc(\"{loaded}\")
               %s = pl.adds %t, %k : !pl.tile<1x8xi32>, i32 loc(\"{sum}\")
               pl.store %s, %x[0, 0] : !pl.tile<1x8xi32>, memref<1x8xi32>
               return
             }}
             func.func @\"{device}\"(%x: memref<1x8xi32> {{pl.inout}} loc(\"{window}\"), %w: !pld.dtensor<1x8xi32> loc(\"{x}\")) attributes {{pl.device}} {{
               call @\"{kernel}\"(%x, %w) : (memref<1x8xi32>, !pld.dtensor<1x8xi32>) -> ()
               return
             }}\n"
        );
        dispatches += &format!(
            "%w{rank_of} = pld.window %buffer : !pld.dtensor<1x8xi32> loc(\"{number}\")
             pld.dispatch @\"{device}\"(%xr, %w{rank_of}) on %r : (memref<1x8xi32>, !pld.dtensor<1x8xi32>)\n",
            rank_of = dispatches.len()
        );
    }
    text += &format!(
        "func.func @\"the entry\"(%x: memref<?x1x8xi32> {{pl.inout}} loc(\"assert\")) attributes {{pl.host}} {{
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %n = pld.world_size loc(\"NULL\")
           %buffer = pld.alloc_window_buffer [1, 8] of i32
           scf.for %r = %c0 to %n step %c1 {{
             %xr = pl.shard %x[%r] : memref<?x1x8xi32> -> memref<1x8xi32> loc(\"while\")
             {dispatches}
           }}
           return
         }}"
    );
    (text, pairs.len())
}

/// All names at once, by one build: they compile without a warning, and the program does what
/// it would by other names.
#[test]
fn any_name() {
    let (text, pairs) = program();
    let numbers = |rank: i32| {
        [rank; 8]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect::<Vec<_>>()
    };
    let array = Array {
        r#type: Type::I32,
        shape: vec![2, 1, 8],
        input: Some([numbers(5), numbers(6)].concat()),
        output: Some([numbers(5), numbers(6 + pairs as i32)].concat()),
    };
    built(&text, "the entry").check(2, &[array]);
}
