use super::*;
use crate::WindowInfo;
use half::{bf16, f16};
use std::sync::Mutex;

/// Windows start at zero, keep one layout on all ranks, and their report follows the 4 KiB rule.
#[test]
fn windows_are_laid_out_and_zero() {
    let nonzero = Mutex::new(0);
    let report = simulate(&world(3), &[1024, 10_000, 4], &|rank| {
        // SAFETY: the windows hold this many bytes.
        let bytes = |w: usize, n| unsafe { std::slice::from_raw_parts(rank.window(w), n) };
        let dirty = [bytes(0, 1024), bytes(1, 10_000), bytes(2, 4)]
            .concat()
            .iter()
            .filter(|&&b| b != 0)
            .count();
        *nonzero.lock().unwrap() += dirty;
    });
    assert_clean(&report);
    assert_eq!(nonzero.into_inner().unwrap(), 0);
    let row = |w: &WindowInfo| (w.bytes, w.cost, w.offset, w.group.to_string());
    let rows: Vec<_> = report.windows.iter().map(row).collect();
    let all = || "0-2".to_string();
    assert_eq!(
        rows,
        [
            (1024, 4096, 0, all()),
            (10_000, 10_240, 4096, all()),
            (4, 4096, 14_336, all())
        ]
    );
}

/// A huge symmetric window costs only what is touched.
#[test]
fn windows_are_committed_lazily() {
    let options = Options {
        races: false,
        ..world(1024)
    };
    let report = simulate(&options, &[64 << 20], &|rank| {
        rank.store(
            rank.me as f32,
            0,
            (1 << 24) - 1,
            (rank.me + 1) % rank.n,
            OVERWRITE,
            1,
        );
    });
    assert_clean(&report);
}

/// Rank r reads what its left neighbour pushed: strided rectangles land where they should.
#[test]
fn strided_rectangles_travel() {
    let results = Mutex::new(vec![0f32; 3]);
    let report = simulate(&world(3), &[4 * 64, 12], &|rank| {
        let mut tile: [f32; 8] = std::array::from_fn(|i| (100 * rank.me + i as i64) as f32);
        let next = (rank.me + 1) % rank.n;
        // Rows of 2 elements: pitch 4 elements in the tile, 8 in the window, from element 3 on.
        pld_rt_store(
            rank.ctx,
            tile.as_mut_ptr().cast(),
            16,
            rank.window(0),
            12,
            32,
            2,
            8,
            next,
            OVERWRITE,
            1,
        );
        rank.barrier(1, 2);
        let read = |i| rank.get(0, i, 3);
        let expected: f32 = [0, 1, 4, 5]
            .iter()
            .map(|i| (100 * ((rank.me + 2) % 3) + i) as f32)
            .sum();
        results.lock().unwrap()[rank.me as usize] =
            read(3) + read(4) + read(11) + read(12) - expected + read(5) + read(13);
    });
    assert_clean(&report);
    assert_eq!(results.into_inner().unwrap(), [0.0; 3]);
}

fn sum_into_rank_0<T: Copy + Default + Send>(
    code: i64,
    value: impl Fn(i64) -> T + Sync,
    workers: usize,
) -> Vec<T> {
    let results = Mutex::new(Vec::new());
    let bytes = size_of::<T>() as i64;
    let options = Options {
        workers,
        ..world(4)
    };
    let report = simulate(&options, &[4096, 16], &|rank| {
        let mut tile = [value(rank.me); 16];
        for row in 0..4 {
            let off = row * 256;
            let (tile, win) = (tile.as_mut_ptr().cast(), rank.window(0));
            pld_rt_store(
                rank.ctx,
                tile,
                16 * bytes,
                win,
                off,
                16 * bytes,
                1,
                16 * bytes,
                0,
                code,
                1,
            );
        }
        // The own contribution once more, through the local form.
        if rank.me == 0 {
            pld_rt_local_add(
                rank.ctx,
                tile.as_mut_ptr().cast(),
                0,
                rank.window(0),
                0,
                1,
                16 * bytes,
                code,
                1,
            );
        }
        rank.barrier(1, 2);
        if rank.me == 0 {
            pld_rt_access(rank.ctx, 0, rank.window(0), 0, 1, 16 * bytes, 3);
            // SAFETY: the window holds 16 elements.
            let sum = unsafe { std::slice::from_raw_parts(rank.window(0).cast::<T>(), 16) };
            results.lock().unwrap().extend_from_slice(sum);
        }
    });
    assert_clean(&report);
    results.into_inner().unwrap()
}

/// Atomic adds of all ranks combine in every element type, with one worker and with several.
#[test]
fn atomic_adds_combine() {
    for workers in [1, 3] {
        assert_eq!(
            sum_into_rank_0(1, |r| r as f32 + 0.5, workers),
            [8.5f32; 16]
        );
        assert_eq!(
            sum_into_rank_0(2, |r| f16::from_f32(r as f32 + 0.5), workers),
            [f16::from_f32(8.5); 16]
        );
        assert_eq!(
            sum_into_rank_0(3, |r| bf16::from_f32(r as f32 + 0.5), workers),
            [bf16::from_f32(8.5); 16]
        );
        assert_eq!(sum_into_rank_0(4, |r| 50i8 + r as i8, workers), [0i8; 16]);
        assert_eq!(
            sum_into_rank_0(5, |r| 100i16 * r as i16, workers),
            [600i16; 16]
        );
        assert_eq!(
            sum_into_rank_0(6, |r| 1_000_000 * r as i32, workers),
            [6_000_000i32; 16]
        );
    }
}

/// Tile slots and GM of a dispatch are private, aligned, and GM is zero each time.
#[test]
fn arenas_and_device_memory() {
    let faults = Mutex::new(0);
    let report = simulate(&world(4), &[16], &|rank| {
        let outer = pld_rt_arena_push(rank.ctx, 100);
        let gm = pld_rt_alloc(rank.ctx, 1 << 17, 0);
        // SAFETY: both blocks hold what was asked for.
        unsafe {
            *faults.lock().unwrap() += i32::from((0..1 << 17).any(|i| *gm.add(i) != 0));
            outer.write_bytes(rank.me as u8, 100);
            gm.write_bytes(rank.me as u8 + 1, 1 << 17);
        }
        rank.barrier(0, 1);
        let inner = pld_rt_arena_push(rank.ctx, 1 << 20);
        // SAFETY: as above.
        unsafe { inner.write_bytes(0xff, 1 << 20) };
        pld_rt_arena_pop(rank.ctx, 1 << 20);
        // SAFETY: as above.
        *faults.lock().unwrap() +=
            i32::from((0..100).any(|i| unsafe { *outer.add(i) } != rank.me as u8));
        pld_rt_arena_pop(rank.ctx, 100);
    });
    assert_clean(&report);
    assert_eq!(faults.into_inner().unwrap(), 0);
}
