//! The one table of symbols that compiled code may call. The lowering declares its functions from it, the JIT registers
//! the addresses from it, and those of [`library`], which the code generator calls by itself.
//!
//! Every function takes the caller's context first; words are `i64`, addresses are pointers. `site` indexes
//! [`Program::sites`](crate::Program). A finding never returns to compiled code.

use crate::blocks;
use crate::context::{Ctx, Fault};
use crate::copy::{self, Rect, Side};
use crate::device::{self, Shape, Target};
use crate::finding::{Details, Finding};
use crate::host::{self, Dispatch};
use crate::signal;
use std::convert::Infallible;

/// Type of a parameter or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// A 64-bit integer.
    I64,
    /// An address.
    Ptr,
}

/// One function of the runtime.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// The name that compiled code links to.
    pub name: &'static str,
    /// The context first.
    pub params: &'static [Ty],
    /// `None`: returns nothing.
    pub result: Option<Ty>,
    /// False: the call ends the run.
    pub returns: bool,
    /// An `extern "C"` function of this signature.
    pub address: *const (),
}

// SAFETY: the address is that of a function.
unsafe impl Sync for Symbol {}
// SAFETY: as above.
unsafe impl Send for Symbol {}

macro_rules! word {
    (I64) => { i64 };
    (Ptr) => { *mut u8 };
    (Never) => { Infallible };
}

macro_rules! result {
    () => {
        None
    };
    (Never) => {
        None
    };
    ($ty:ident) => {
        Some(Ty::$ty)
    };
}

macro_rules! returns {
    (Never) => {
        false
    };
    ($($ty:ident)?) => {
        true
    };
}

/// Defines the functions and their table. A body sees its context as `&Ctx` and gives a `Result`.
macro_rules! symbols {
    ($($(#[$doc:meta])* fn $name:ident($ctx:ident $(, $arg:ident: $ty:ident)* $(,)?) $(-> $result:ident)? $body:block)*) => {
        $(
            $(#[$doc])*
            pub(crate) extern "C" fn $name($ctx: *const Ctx $(, $arg: word!($ty))*) $(-> word!($result))? {
                // SAFETY: compiled code passes on the context that it was started with, which outlives the call.
                unsafe { &*$ctx }.call(|$ctx| $body)
            }
        )*

        /// All functions, in the order of the sections below.
        pub static SYMBOLS: &[Symbol] = &[
            $(Symbol {
                name: stringify!($name),
                params: &[Ty::Ptr $(, Ty::$ty)*],
                result: result!($($result)?),
                returns: returns!($($result)?),
                address: $name as *const (),
            }),*
        ];
    };
}

symbols! {
    // Host and ranks.

    /// Ends the run with a finding of compiled code. Code 401: an access of `c` elements at offset `b` of
    /// dimension `a`, whose extent is `d`; or, with `a` = -1, shard `b` of an array of `d`.
    fn pld_rt_fail(ctx, code: I64, site: I64, a: I64, b: I64, c: I64, d: I64) -> Never {
        Err(failure(ctx, code, site, [a, b, c, d]))
    }

    /// `bytes` zero bytes of GM, aligned to 64: to the end of the run on the host, of the dispatch on a rank.
    fn pld_rt_alloc(ctx, bytes: I64, site: I64) -> Ptr {
        host::alloc(ctx, bytes, site)
    }

    // Host.

    fn pld_rt_world_size(ctx) -> I64 {
        Ok(ctx.host()?.world())
    }

    /// A window buffer of `bytes` on each of the `len` world ranks at `group` (0: all ranks); returns its handle.
    fn pld_rt_alloc_window(ctx, bytes: I64, group: Ptr, len: I64, site: I64) -> I64 {
        let len = if group.is_null() { 0 } else { usize::try_from(len).unwrap_or(0) };
        // SAFETY: compiled code passes the array's length with its address; an empty one may have any address.
        let group = if len == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(group.cast::<i64>(), len) } };
        ctx.host()?.alloc_window(bytes, group, site).map_err(|finding| ctx.fault(finding, site))
    }

    /// A view of `bytes` of a buffer; the result stands for the view on the host.
    fn pld_rt_window(ctx, buffer: I64, bytes: I64, site: I64) -> Ptr {
        ctx.host()?.view(buffer, bytes).map_err(|finding| ctx.fault(finding, site))
    }

    /// As [`pld_rt_window`], of the signals behind the buffer's data.
    fn pld_rt_window_tail(ctx, buffer: I64, bytes: I64, site: I64) -> Ptr {
        ctx.host()?.tail(buffer, bytes, site).map_err(|finding| ctx.fault(finding, site))
    }

    /// World rank `rank`'s own slice of a view.
    fn pld_rt_window_on(ctx, win: Ptr, rank: I64, site: I64) -> Ptr {
        let slice = ctx.host()?.view_on(win, rank).map_err(|finding| ctx.fault(finding, site))?;
        slice.ok_or_else(|| Fault::Error("the host passed an address that is no window view".into()))
    }

    /// Queues `function` with a copy of `nwords` argument words on world rank `rank`.
    fn pld_rt_dispatch(ctx, rank: I64, function: Ptr, args: Ptr, nwords: I64, site: I64) {
        let nwords = if args.is_null() { 0 } else { usize::try_from(nwords).unwrap_or(0) };
        // SAFETY: compiled code passes the number of words with their address; none may have any address.
        let args = if nwords == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(args.cast::<u64>(), nwords) } };
        if function.is_null() {
            return Err(Fault::Error("dispatch of a null function".into()));
        }
        // SAFETY: compiled code passes the address of a function with the one signature of dispatched functions.
        let function = unsafe { std::mem::transmute::<*mut u8, crate::Function>(function) };
        let dispatch = Dispatch { function, args: args.into(), site };
        ctx.host()?.dispatch(rank, dispatch).map_err(|finding| ctx.fault(finding, site))
    }

    /// The `site` that the running dispatch was queued with.
    fn pld_rt_dispatch_site(ctx) -> I64 {
        Ok(ctx.local.borrow().dispatch)
    }

    // Ranks. `win` is the own slice of a window; `peer` is dense in its group; offsets and pitches are in bytes.

    fn pld_rt_rank(ctx, win: Ptr) -> I64 {
        device::membership(ctx, win).map(|(rank, _)| rank as i64)
    }

    fn pld_rt_nranks(ctx, win: Ptr) -> I64 {
        device::membership(ctx, win).map(|(_, ranks)| ranks as i64)
    }

    // Blocks.

    /// Runs `count` blocks of `body`, whose arguments are the words at `env`, and returns when all have ended.
    fn pld_rt_spmd(ctx, count: I64, body: Ptr, env: Ptr, site: I64) {
        if body.is_null() {
            return Err(Fault::Error("blocks of a null function".into()));
        }
        // SAFETY: compiled code passes the address of a function with the one signature of such bodies.
        let body = unsafe { std::mem::transmute::<*mut u8, crate::Function>(body) };
        blocks::spmd(ctx, count, body, env.cast(), site)
    }

    /// Number of this block; 0 outside of blocks.
    fn pld_rt_block_idx(ctx) -> I64 {
        Ok(ctx.block.get().index as i64)
    }

    /// Number of blocks; 1 outside of blocks.
    fn pld_rt_block_num(ctx) -> I64 {
        Ok(ctx.block.get().count as i64)
    }

    /// Returns when all blocks of the rank have called it.
    fn pld_rt_sync_blocks(ctx, site: I64) {
        blocks::sync(ctx, site)
    }

    // Memory and communication.

    /// `bytes` of undefined contents, aligned to 64, until the matching pop or the end of the dispatch.
    fn pld_rt_arena_push(ctx, bytes: I64) -> Ptr {
        let slot = usize::try_from(bytes).ok().and_then(|bytes| ctx.local.borrow_mut().arena.push(bytes));
        slot.ok_or_else(|| {
            let finding = Finding::new("pld-404", format!("cannot allocate {bytes} bytes of tiles"))
                .note("use smaller tiles: a target has far less on-core memory than this machine");
            let dispatch = ctx.local.borrow().dispatch;
            ctx.fault(finding, dispatch)
        })
    }

    /// Gives the newest push, of `bytes`, back.
    fn pld_rt_arena_pop(ctx, bytes: I64) {
        let popped = usize::try_from(bytes).is_ok_and(|bytes| ctx.local.borrow_mut().arena.pop(bytes));
        popped.then_some(()).ok_or_else(|| Fault::Error(format!("{}: pop of {bytes} bytes that were not pushed", ctx.name())))
    }

    /// Copies `rows` runs of `bytes` from the peer's slice to `dst`.
    fn pld_rt_load(ctx, dst: Ptr, dst_pitch: I64, win: Ptr, off: I64, pitch: I64, rows: I64, bytes: I64, peer: I64, site: I64) {
        let target = Target { window: win, shift: off, peer, site };
        device::load(ctx, side(dst, dst_pitch), target, Shape { pitch, rows, bytes })
    }

    /// All that a load of the same words does but the copy: returns where the peer's data is, to be read before the next
    /// call of the runtime and before the next write to memory.
    fn pld_rt_reach(ctx, win: Ptr, off: I64, pitch: I64, rows: I64, bytes: I64, peer: I64, site: I64) -> Ptr {
        let target = Target { window: win, shift: off, peer, site };
        device::load_in_place(ctx, target, Shape { pitch, rows, bytes })
    }

    /// Copies `rows` runs of `bytes` from `src` to the peer's slice, or adds them atomically. `add` is 0 to overwrite,
    /// else 1 f32, 2 f16, 3 bf16, 4 i8, 5 i16, 6 i32.
    fn pld_rt_store(
        ctx, src: Ptr, src_pitch: I64, win: Ptr, off: I64, pitch: I64, rows: I64, bytes: I64, peer: I64, add: I64, site: I64,
    ) {
        let target = Target { window: win, shift: off, peer, site };
        device::store(ctx, side(src, src_pitch), target, Shape { pitch, rows, bytes }, add)
    }

    /// Adds `rows` runs of `bytes` atomically to the own slice or GM at `dst`; `add` as in a store, not 0.
    fn pld_rt_local_add(
        ctx, src: Ptr, src_pitch: I64, dst: Ptr, pitch: I64, rows: I64, bytes: I64, add: I64, site: I64,
    ) {
        device::local_add(ctx, side(src, src_pitch), side(dst, pitch), Rect::new(rows, bytes), add, site)
    }

    /// Tells the race detector of an access to the own slice or, where blocks may run, to GM: `kind` 0 read, 1 write,
    /// 2 atomic add.
    fn pld_rt_access(ctx, kind: I64, ptr: Ptr, pitch: I64, rows: I64, bytes: I64, site: I64) {
        device::access(ctx, kind, side(ptr, pitch), Rect::new(rows, bytes), site)
    }

    /// Adds `value` to the peer's i32 cell at `off` (`op` 0) or sets it (`op` 1).
    fn pld_rt_notify(ctx, op: I64, value: I64, win: Ptr, off: I64, peer: I64, site: I64) {
        signal::notify(ctx, op, value, Target { window: win, shift: off, peer, site })
    }

    /// Waits until the own i32 cell at `off` compares to `value`: `cmp` 0 eq, 1 ne, 2 gt, 3 ge, 4 lt, 5 le.
    fn pld_rt_wait(ctx, cmp: I64, value: I64, win: Ptr, off: I64, site: I64) {
        signal::wait(ctx, cmp, value, win, off, site)
    }

    /// Lets other ranks run: on the back edge of a while loop, and before a scalar read of a window.
    fn pld_rt_yield(ctx, site: I64) {
        signal::poll(ctx, site)
    }
}

/// Functions of the C library that the code generator calls, and what stands for them.
pub fn library() -> [(&'static str, *const ()); 2] {
    ["memcpy", "memmove"].map(|name| (name, copy::move_bytes as *const ()))
}

fn side(base: *mut u8, pitch: i64) -> Side {
    Side {
        base,
        pitch: usize::try_from(pitch).unwrap_or(0),
    }
}

/// The finding behind `pld_rt_fail`.
fn failure(ctx: &Ctx, code: i64, site: i64, [a, b, c, d]: [i64; 4]) -> Fault {
    let division = ctx.shared().site(site).op != "scf.for";
    let finding = match (code, a) {
        (401, -1) => Finding::new("pld-401", format!("shard {b} is out of bounds of a world array of {d} shards"))
            .details(Details::Bounds { dim: None, offset: b, size: 1, extent: d }),
        (401, _) => Finding::new(
            "pld-401",
            format!("access out of bounds in dim {a}: offset {b} + size {c} exceeds extent {d}, or is negative"),
        )
        .note("keep 0 <= offset and offset + size <= extent, or shorten the access with 'valid'")
        .details(Details::Bounds { dim: Some(a), offset: b, size: c, extent: d }),
        (404, _) => Finding::new("pld-404", format!("window view or buffer too large: {b} exceeds {d}")),
        (406, _) => Finding::new("pld-406", format!("rank or world size {b} is not admitted, expected less than {d}")),
        (408, 0) if division => Finding::new("pld-408", "division by zero")
            .note("divide by what cannot be zero, or branch before it"),
        (408, _) => Finding::new("pld-408", format!("the loop's step is {a}, so it would never end"))
            .note("give it a step above zero"),
        _ => return Fault::Error(format!("compiled code failed with unknown code {code}")),
    };
    ctx.fault(finding, site)
}
