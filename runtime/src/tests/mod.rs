//! Whole programs, with kernels written as Rust functions that call the runtime as compiled code does.
//!
//! A kernel must not panic (that would unwind into foreign frames); it leaves results in memory that the test checks.

mod blocks;
mod crew;
mod deadlock;
mod faults;
mod host;
mod memory;
mod observe;
mod polling;
mod races;
mod replay;
mod scale;
mod signals;
mod weak;

use crate::abi::*;
use crate::{Ctx, Finding, Options, Program, Report, Site, run};

/// Where the symbols' `add` argument says f32, or nothing.
const OVERWRITE: i64 = 0;
const ADD_F32: i64 = 1;

/// A kernel's view of its rank.
#[derive(Clone, Copy)]
struct Rank<'a> {
    ctx: *const Ctx,
    windows: &'a [u64],
    me: i64,
    n: i64,
}

impl Rank<'_> {
    /// The own slice of window `w`.
    fn window(&self, w: usize) -> *mut u8 {
        self.windows[w] as *mut u8
    }

    fn notify(&self, op: i64, value: i64, w: usize, cell: i64, peer: i64, site: i64) {
        pld_rt_notify(self.ctx, op, value, self.window(w), cell * 4, peer, site);
    }

    fn add(&self, value: i64, w: usize, cell: i64, peer: i64, site: i64) {
        self.notify(0, value, w, cell, peer, site);
    }

    fn set(&self, value: i64, w: usize, cell: i64, peer: i64, site: i64) {
        self.notify(1, value, w, cell, peer, site);
    }

    fn wait_ge(&self, value: i64, w: usize, cell: i64, site: i64) {
        pld_rt_wait(self.ctx, 3, value, self.window(w), cell * 4, site);
    }

    fn wait_eq(&self, value: i64, w: usize, cell: i64, site: i64) {
        pld_rt_wait(self.ctx, 0, value, self.window(w), cell * 4, site);
    }

    /// The self-clearing barrier on window `w`, as the lowering writes it.
    fn barrier(&self, w: usize, site: i64) {
        let others = |f: &dyn Fn(i64)| (0..self.n).filter(|&peer| peer != self.me).for_each(f);
        others(&|peer| self.add(1, w, self.me, peer, site));
        others(&|peer| self.wait_ge(1, w, peer, site));
        others(&|peer| self.add(-1, w, peer, self.me, site));
    }

    fn store(&self, value: f32, w: usize, element: i64, peer: i64, add: i64, site: i64) {
        let mut value = value;
        pld_rt_store(
            self.ctx,
            (&raw mut value).cast(),
            4,
            self.window(w),
            element * 4,
            4,
            1,
            4,
            peer,
            add,
            site,
        );
    }

    fn load(&self, w: usize, element: i64, peer: i64, site: i64) -> f32 {
        let mut value = 0f32;
        pld_rt_load(
            self.ctx,
            (&raw mut value).cast(),
            4,
            self.window(w),
            element * 4,
            4,
            1,
            4,
            peer,
            site,
        );
        value
    }

    /// Tells of an own-slice access of one element, as checked code does, and returns its address.
    fn access(&self, kind: i64, w: usize, element: i64, site: i64) -> *mut f32 {
        let pointer = self.window(w).cast::<f32>().wrapping_add(element as usize);
        pld_rt_access(self.ctx, kind, pointer.cast(), 4, 1, 4, site);
        pointer
    }

    fn put(&self, value: f32, w: usize, element: i64, site: i64) {
        // SAFETY: tests use elements of their own windows.
        unsafe { self.access(1, w, element, site).write_volatile(value) };
    }

    fn get(&self, w: usize, element: i64, site: i64) -> f32 {
        // SAFETY: tests use elements of their own windows.
        unsafe { self.access(0, w, element, site).read_volatile() }
    }
}

type Kernel<'a> = dyn Fn(Rank) + 'a;

/// The usual program: windows of the given sizes in bytes, one dispatch of the kernel per rank.
struct Setup<'a> {
    windows: &'a [i64],
    kernel: &'a Kernel<'a>,
}

extern "C" fn usual_host(ctx: *const Ctx, args: *const u64) {
    // SAFETY: `simulate` passes the setup's address, which outlives the run.
    let setup = unsafe { &*(*args as *const Setup) };
    let n = pld_rt_world_size(ctx);
    let none = std::ptr::null_mut();
    let view =
        |&bytes: &i64| pld_rt_window(ctx, pld_rt_alloc_window(ctx, bytes, none, 0, 0), bytes, 0);
    let views: Vec<_> = setup.windows.iter().map(view).collect();
    for rank in 0..n {
        // SAFETY: as above.
        let mut words = vec![unsafe { *args }, rank as u64, n as u64];
        words.extend(
            views
                .iter()
                .map(|&view| pld_rt_window_on(ctx, view, rank, 0) as u64),
        );
        let function = usual_device as *const () as *mut u8;
        pld_rt_dispatch(
            ctx,
            rank,
            function,
            words.as_mut_ptr().cast(),
            words.len() as i64,
            0,
        );
    }
}

extern "C" fn usual_device(ctx: *const Ctx, args: *const u64) {
    // SAFETY: `usual_host` passes these words, and as many window addresses as the setup has windows.
    let (setup, me, n, windows) = unsafe {
        let setup = &*(*args as *const Setup);
        let windows = std::slice::from_raw_parts(args.add(3), setup.windows.len());
        (setup, *args.add(1) as i64, *args.add(2) as i64, windows)
    };
    (setup.kernel)(Rank {
        ctx,
        windows,
        me,
        n,
    });
}

/// The number of the site of a `pld.barrier`.
const BARRIER: i64 = 10;

/// Ten sites, `k.mlir:1:1` to `k.mlir:10:1`, with the op `op0` to `op9`, and then a barrier.
fn sites() -> Vec<Site> {
    let site = |i: i64| Site {
        op: match i {
            BARRIER => "pld.barrier".into(),
            _ => format!("op{i}"),
        },
        file: "k.mlir".into(),
        line: i as u32 + 1,
        column: 1,
    };
    (0..=BARRIER).map(site).collect()
}

fn simulate(options: &Options, windows: &[i64], kernel: &Kernel) -> Report {
    let setup = Setup { windows, kernel };
    let program = Program {
        entry: usual_host,
        sites: sites(),
    };
    run(&program, &[(&raw const setup) as u64], options)
}

fn world(world: usize) -> Options {
    Options {
        world,
        ..Options::default()
    }
}

fn assert_clean(report: &Report) {
    assert_eq!(report.error, None);
    assert!(report.findings.is_empty(), "{}", report.findings[0]);
}

fn only(report: &Report) -> &Finding {
    assert_eq!(report.error, None);
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    &report.findings[0]
}
