//! The ring shift of `examples/05_remote_load_store.mlir`, built in Rust: verified, printed,
//! and run on two, three and four simulated ranks.
//!
//! ```text
//! cargo run --release -p pld-embed --example build_shift
//! ```

use pld::{
    Array,
    Element::{F32, I32},
    Error, Input, Program, Simulation, Verdict,
    build::{DYNAMIC, Module, Parameter, input, memref, output, tile, window},
};

/// Columns of each rank's slice.
const COLS: i64 = 64;

pub fn main() -> Result<(), Error> {
    let program = Program::build(ring_shift)?;
    println!("{program}");
    for world in [2, 3, 4] {
        run(&program, world)?;
        println!("{world} ranks: OK");
    }
    Ok(())
}

/// y of each rank is x of the next.
pub fn ring_shift(m: &Module) {
    m.incore("shift_by_load", parameters(), |f, [x, y, data, signal]| {
        let t = tile([1, COLS], F32);
        let c1 = f.index(1);
        let ctx = f.get_comm_ctx(data);
        let me = f.rank(ctx);
        let n = f.nranks(ctx);

        // Stage: what peers load must be in the window first.
        let local = f.load(x, [0, 0], &t);
        f.store(local, data, [0, 0]);
        // No rank loads before every rank has staged.
        f.barrier(signal);

        let next = f.addi(me, c1);
        let peer = f.remsi(next, n);
        let recv = f.remote_load(data, [0, 0], peer, &t);
        f.store(recv, y, [0, 0]);
    });
    m.device("load_rank", parameters(), |f, arguments| {
        f.call("shift_by_load", &arguments);
    });
    let world = memref([DYNAMIC, 1, COLS], F32);
    m.host(
        "main",
        [input(world.clone()), output(world)],
        |f, [x, y]| {
            let (c0, c1) = (f.index(0), f.index(1));
            let n = f.world_size();
            let data_buf = f.alloc_window_buffer([1, COLS], F32);
            let signal_buf = f.alloc_window_buffer((n, 1), I32);
            f.for_loop(c0, n, c1, |f, r| {
                let data = f.window(data_buf, &window([1, COLS], F32), &[]);
                let signal = f.window(signal_buf, &window([DYNAMIC, 1], I32), &[n]);
                let xr = f.shard(x, r);
                let yr = f.shard(y, r);
                f.dispatch("load_rank", &[xr, yr, data, signal], r);
            });
        },
    );
}

/// x, y, the data window, the signal.
fn parameters() -> [Parameter; 4] {
    [
        input(memref([1, COLS], F32)),
        output(memref([1, COLS], F32)),
        input(window([1, COLS], F32)),
        input(window([DYNAMIC, 1], I32)),
    ]
}

/// Runs four schedules with an input of our own, and compares.
fn run(program: &Program, world: usize) -> Result<(), Error> {
    let shape = [world, 1, COLS as usize];
    let slice = |rank: usize| (0..COLS).map(move |k| (1000 * rank as i64 + k) as f32);
    let bytes = |first: usize| -> Vec<u8> {
        let ranks = (0..world).map(|rank| (rank + first) % world);
        ranks.flat_map(slice).flat_map(f32::to_ne_bytes).collect()
    };
    let x = Array::from_bytes(F32, &shape, &bytes(0)).expect("as many bytes as the shape says");
    let outcome = Simulation::new(program, world)
        .input(0, Input::Array(x))
        .schedules(4)
        .run()?;
    assert_eq!(outcome.verdict(), Verdict::Agrees, "{:?}", outcome.run);
    let y = outcome.arrays[1].as_ref().expect("an output");
    assert_eq!(y.bytes(), bytes(1), "y of rank r is x of rank (r + 1) % n");
    Ok(())
}
