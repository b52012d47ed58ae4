//! A generator: an allreduce round a ring for any element type, in two rounds of n - 1 steps.
//!
//! ```text
//! reduce-scatter   each rank pulls one segment of the previous rank and adds its own
//! allgather        each rank pulls one finished segment of the previous rank
//! ```
//!
//! No step waits for anybody but the previous rank. Checked for all schedules before it runs,
//! and compared with a plain sum:
//!
//! ```text
//! cargo run --release -p pld-embed --example ring_allreduce
//! ```

use half::{bf16, f16};
use pld::{
    Array,
    Element::{self, BF16, F16, F32, I32},
    Error, Input, Program, Simulation, Verdict,
    build::{
        Body, DYNAMIC, Module, NotifyKind, Parameter, Part, Value, WaitCmp, input, memref, output,
        tile, window,
    },
};

/// Columns of each rank's array; no multiple of most numbers of ranks.
const COLS: i64 = 64;

pub fn main() -> Result<(), Error> {
    for element in [F32, F16, BF16, I32] {
        let program = Program::build(|m| ring_allreduce(m, element, COLS))?;
        for world in 1..=5 {
            check(&program, element, world)?;
        }
        println!("{element}: OK");
    }
    Ok(())
}

/// y of each rank is the sum of x over all ranks.
pub fn ring_allreduce(m: &Module, element: Element, cols: i64) {
    let parameters = || parameters(element, cols);
    m.incore(
        "ring",
        parameters(),
        |f, [x, y, data, steps_done, staged]| {
            let whole = tile([1, cols], element);
            let own = f.load(x, [0, 0], &whole);
            f.store(own, data, [0, 0]);
            // No rank pulls before every rank has staged.
            f.barrier(staged);
            let ring = Ring::new(f, data, steps_done, element, cols);
            let last = f.subi(ring.n, 1);
            f.for_loop(0, last, 1, |f, step| {
                ring.pull(f, step, f.addi(step, 1), |theirs, mine| f.add(theirs, mine));
            });
            f.for_loop(0, last, 1, |f, turn| {
                ring.pull(f, f.addi(last, turn), turn, |theirs, _| theirs);
            });
            let sum = f.load(data, [0, 0], &whole);
            f.store(sum, y, [0, 0]);
        },
    );
    m.device("per_rank", parameters(), |f, arguments| {
        f.call("ring", &arguments);
    });
    let all = memref([DYNAMIC, 1, cols], element);
    m.host("main", [input(all.clone()), output(all)], |f, [x, y]| {
        let n = f.world_size();
        let data_buffer = f.alloc_window_buffer([1, cols], element);
        let [steps_buffer, staged_buffer] = [(); 2].map(|()| f.alloc_window_buffer((n, 1), I32));
        f.for_loop(0, n, 1, |f, r| {
            let data = f.window(data_buffer, &window([1, cols], element), &[]);
            let [steps_done, staged] = [steps_buffer, staged_buffer]
                .map(|buffer| f.window(buffer, &window([DYNAMIC, 1], I32), &[n]));
            let (x, y) = (f.shard(x, r), f.shard(y, r));
            f.dispatch("per_rank", &[x, y, data, steps_done, staged], r);
        });
    });
}

/// x, y, the data window, the steps that each rank has done, the signal of the barrier.
fn parameters(element: Element, cols: i64) -> [Parameter; 5] {
    let signal = || input(window([DYNAMIC, 1], I32));
    [
        input(memref([1, cols], element)),
        output(memref([1, cols], element)),
        input(window([1, cols], element)),
        signal(),
        signal(),
    ]
}

/// What every step needs.
struct Ring<'c, 'a> {
    data: Value<'c, 'a>,
    steps_done: Value<'c, 'a>,
    element: Element,
    cols: i64,
    me: Value<'c, 'a>,
    n: Value<'c, 'a>,
    previous: Value<'c, 'a>,
    next: Value<'c, 'a>,
    /// Columns of a segment; the last one has what is left.
    segment: Value<'c, 'a>,
}

impl<'c, 'a> Ring<'c, 'a> {
    fn new(
        f: &Body<'c, 'a>,
        data: Value<'c, 'a>,
        steps_done: Value<'c, 'a>,
        element: Element,
        cols: i64,
    ) -> Self {
        let ctx = f.get_comm_ctx(steps_done);
        let (me, n) = (f.rank(ctx), f.nranks(ctx));
        let last = f.subi(n, 1);
        Self {
            data,
            steps_done,
            element,
            cols,
            me,
            n,
            previous: f.remsi(f.addi(me, last), n),
            next: f.remsi(f.addi(me, 1), n),
            segment: f.divsi(f.addi(last, cols), n),
        }
    }

    /// One step: pulls the segment that is `back` behind the own one when the previous rank has
    /// done as many steps, stores what `combine` makes of it and the own, and says so.
    fn pull(
        &self,
        f: &Body<'c, 'a>,
        step: Value<'c, 'a>,
        back: Value<'c, 'a>,
        combine: impl FnOnce(Value<'c, 'a>, Value<'c, 'a>) -> Value<'c, 'a>,
    ) {
        let whole = tile([1, self.cols], self.element);
        let which = f.remsi(f.subi(f.addi(self.me, self.n), back), self.n);
        let offset = f.muli(which, self.segment);
        let rest = f.subi(f.index(self.cols), offset);
        let part = || Part::valid((1, f.minsi(self.segment, rest)));
        let count = f.index_cast(step, &pld::build::scalar(I32));
        f.wait(WaitCmp::Ge, count, self.steps_done, (self.previous, 0));
        let at = (0, offset);
        let theirs = f.remote_load_part(self.data, at, self.previous, &whole, part());
        let mine = f.load_part(self.data, at, &whole, part());
        f.store_part(combine(theirs, mine), self.data, at, part());
        f.notify(NotifyKind::Add, 1, self.steps_done, (self.me, 0), self.next);
    }
}

/// Runs three schedules with all checks on, and compares with a plain sum.
pub fn check(program: &Program, element: Element, world: usize) -> Result<(), Error> {
    let cols = COLS as usize;
    // Small whole numbers: their sums are exact in every type.
    let value = |rank: usize, col: usize| ((7 * rank + col) % 9) as i32;
    let array = |of: &dyn Fn(usize, usize) -> i32| {
        let places = (0..world).flat_map(|rank| (0..cols).map(move |col| (rank, col)));
        let bytes: Vec<u8> = places
            .flat_map(|(rank, col)| bytes(element, of(rank, col)))
            .collect();
        Array::from_bytes(element, &[world, 1, cols], &bytes).expect("as many as the shape says")
    };
    let sum = |_: usize, col: usize| (0..world).map(|rank| value(rank, col)).sum();
    let outcome = Simulation::new(program, world)
        .input(0, Input::Array(array(&value)))
        .expect_array(1, array(&sum))
        .tolerance(Some(0.0), Some(0.0))
        .protocol(true)
        .races(true)
        .weak(true)
        .schedules(3)
        .run()?;
    assert_eq!(outcome.verdict(), Verdict::Agrees, "{:?}", outcome.run);
    assert_eq!(outcome.compared.len(), 1);
    Ok(())
}

/// A number as an element of memory.
fn bytes(element: Element, value: i32) -> Vec<u8> {
    match element {
        F32 => (value as f32).to_ne_bytes().to_vec(),
        F16 => f16::from_f32(value as f32).to_ne_bytes().to_vec(),
        BF16 => bf16::from_f32(value as f32).to_ne_bytes().to_vec(),
        I32 => value.to_ne_bytes().to_vec(),
        _ => unimplemented!("this program is made for four types"),
    }
}
