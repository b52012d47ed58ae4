use super::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

fn run_host(entry: crate::Function, args: &[u64], n: usize) -> Report {
    run(
        &Program {
            entry,
            sites: sites(),
        },
        args,
        &world(n),
    )
}

/// Allocates one window of `args[0]` bytes for the group of `args[2]` ranks at `args[1]`, and views `args[3]` bytes of it on
/// rank `args[4]`.
extern "C" fn one_window(ctx: *const Ctx, args: *const u64) {
    // SAFETY: the tests pass five words.
    let word = |i| unsafe { *args.add(i) };
    let buffer = pld_rt_alloc_window(ctx, word(0) as i64, word(1) as *mut u8, word(2) as i64, 1);
    let view = pld_rt_window(ctx, buffer, word(3) as i64, 2);
    pld_rt_window_on(ctx, view, word(4) as i64, 3);
}

fn window_code(bytes: i64, group: &[i64], view: i64, rank: i64) -> Option<&'static str> {
    let args = [
        bytes as u64,
        group.as_ptr() as u64,
        group.len() as u64,
        view as u64,
        rank as u64,
    ];
    let report = run_host(one_window, &args, 4);
    assert_eq!(report.error, None);
    report.findings.first().map(|finding| finding.code)
}

/// Sizes, views, group members and ranks are checked where they first come to be known.
#[test]
fn window_checks() {
    assert_eq!(window_code(64, &[], 64, 3), None);
    assert_eq!(window_code(0, &[], 0, 3), None);
    assert_eq!(window_code(-1, &[], 0, 0), Some("pld-404"));
    assert_eq!(window_code(i64::MAX, &[], 0, 0), Some("pld-404"));
    assert_eq!(window_code(1 << 50, &[], 0, 0), Some("pld-404"));
    assert_eq!(window_code(64, &[], 65, 0), Some("pld-404"));
    assert_eq!(window_code(64, &[], -4, 0), Some("pld-404"));
    assert_eq!(window_code(64, &[], 64, 4), Some("pld-406"));
    assert_eq!(window_code(64, &[], 64, -1), Some("pld-406"));
    assert_eq!(window_code(64, &[1, 2], 64, 1), None);
    assert_eq!(window_code(64, &[1, 2], 64, 3), Some("pld-406"));
    assert_eq!(window_code(64, &[1, 4], 64, 1), Some("pld-406"));
}

extern "C" fn dispatch_to(ctx: *const Ctx, args: *const u64) {
    // SAFETY: the test passes one word.
    pld_rt_dispatch(
        ctx,
        unsafe { *args } as i64,
        usual_device as *const () as *mut u8,
        std::ptr::null_mut(),
        0,
        1,
    );
}

/// A dispatch to a rank that does not exist is found before any rank runs.
#[test]
fn dispatch_checks_its_rank() {
    for rank in [-1i64, 4] {
        let report = run_host(dispatch_to, &[rank as u64], 4);
        assert_eq!(only(&report).code, "pld-406");
        assert!(report.counters.is_empty());
    }
    assert_eq!(run_host(dispatch_to, &[0], 0).findings[0].code, "pld-406");
}

extern "C" fn several(ctx: *const Ctx, args: *const u64) {
    for k in 0..5u64 {
        for rank in [2, 0] {
            // SAFETY: the test passes the address of its log.
            let mut words = [unsafe { *args }, 100 + 10 * rank as u64 + k];
            pld_rt_dispatch(
                ctx,
                rank,
                append as *const () as *mut u8,
                words.as_mut_ptr().cast(),
                2,
                1,
            );
        }
    }
}

extern "C" fn append(_: *const Ctx, args: *const u64) {
    // SAFETY: `several` passes the log's address and a word.
    let (log, word) = unsafe { (&*(*args as *const Mutex<Vec<u64>>), *args.add(1)) };
    log.lock().unwrap().push(word);
}

/// Dispatches to one rank run in program order with their own copies of the arguments; idle ranks are fine.
#[test]
fn dispatches_run_in_order() {
    let log = Mutex::new(Vec::<u64>::new());
    assert_clean(&run_host(several, &[(&raw const log) as u64], 3));
    let log = log.into_inner().unwrap();
    for rank in [0, 2] {
        let words: Vec<_> = log
            .iter()
            .filter(|&&word| word / 10 == 10 + rank)
            .map(|word| word % 10)
            .collect();
        assert_eq!(words, [0, 1, 2, 3, 4]);
    }
}

extern "C" fn subgroup(ctx: *const Ctx, args: *const u64) {
    let mut group = [3i64, 1];
    let buffer = pld_rt_alloc_window(ctx, 64, group.as_mut_ptr().cast(), 2, 1);
    let view = pld_rt_window(ctx, buffer, 64, 2);
    for rank in group {
        // SAFETY: the test passes the address of its sum.
        let mut words = [
            unsafe { *args },
            pld_rt_window_on(ctx, view, rank, 3) as u64,
        ];
        pld_rt_dispatch(
            ctx,
            rank,
            in_subgroup as *const () as *mut u8,
            words.as_mut_ptr().cast(),
            2,
            4,
        );
    }
}

extern "C" fn in_subgroup(ctx: *const Ctx, args: *const u64) {
    // SAFETY: `subgroup` passes these two words.
    let (sum, windows) = unsafe {
        (
            &*(*args as *const AtomicU64),
            std::slice::from_raw_parts(args.add(1), 1),
        )
    };
    let (me, n) = (
        pld_rt_rank(ctx, windows[0] as *mut u8),
        pld_rt_nranks(ctx, windows[0] as *mut u8),
    );
    let rank = Rank {
        ctx,
        windows,
        me,
        n,
    };
    rank.store(me as f32 + 1.0, 0, 4, 1 - me, OVERWRITE, 5);
    rank.barrier(0, 6);
    sum.fetch_add((rank.get(0, 4, 7) as u64) << (8 * me), Ordering::SeqCst);
}

/// Peers are dense in the group, in its own order: {3, 1} makes rank 3 peer 0.
#[test]
fn groups_have_dense_ranks() {
    let sum = AtomicU64::new(0);
    assert_clean(&run_host(subgroup, &[(&raw const sum) as u64], 4));
    assert_eq!(sum.into_inner(), 0x0102);
}

/// The table that the lowering reads agrees with itself: unique names, a context first, an address each.
#[test]
fn table_of_symbols() {
    let names: std::collections::HashSet<_> = SYMBOLS.iter().map(|symbol| symbol.name).collect();
    assert_eq!(names.len(), SYMBOLS.len());
    assert!(
        SYMBOLS.iter().all(|s| s.params[0] == Ty::Ptr
            && !s.address.is_null()
            && s.name.starts_with("pld_rt_"))
    );
    let load = SYMBOLS
        .iter()
        .find(|symbol| symbol.name == "pld_rt_load")
        .unwrap();
    assert_eq!(
        (load.params.len(), load.result, load.returns),
        (10, None, true)
    );
    let never: Vec<_> = SYMBOLS.iter().filter(|s| !s.returns).collect();
    assert!(matches!(never[..], [fail] if fail.name == "pld_rt_fail"));
}

extern "C" fn tails(ctx: *const Ctx, args: *const u64) {
    // SAFETY: the test passes one word.
    let bytes = unsafe { *args } as i64;
    let all = pld_rt_alloc_window(ctx, 64, std::ptr::null_mut(), 0, 1);
    let first = pld_rt_window_tail(ctx, all, 12, 2);
    let mut group = [2i64, 0];
    let some = pld_rt_alloc_window(ctx, 64, group.as_mut_ptr().cast(), 2, 1);
    let second = pld_rt_window_tail(ctx, some, bytes, 3);
    assert_eq!(
        first,
        pld_rt_window_tail(ctx, all, 12, 4),
        "one of a buffer"
    );
    assert_ne!(first, second);
}

/// A buffer has one tail, of a line for each rank of its group, which costs nothing more and comes
/// behind all buffers.
#[test]
fn tails_belong_to_their_buffers() {
    let report = run_host(tails, &[128], 3);
    assert_clean(&report);
    let row = |w: &crate::WindowInfo| (w.tail_of, w.bytes, w.cost, w.group.to_string());
    assert_eq!(
        report.windows.iter().map(row).collect::<Vec<_>>(),
        [
            (None, 64, 4096, "0-2".into()),
            (None, 64, 4096, "0, 2".into()),
            (Some(0), 192, 0, "0-2".into()),
            (Some(1), 128, 0, "0, 2".into()),
        ]
    );
    let report = run_host(tails, &[132], 3);
    assert_eq!(report.findings[0].code, "pld-404");
}
