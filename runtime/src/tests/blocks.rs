use super::*;
use crate::Details;

/// What the blocks of a test's ranks do.
struct Team<'a> {
    rank: Rank<'a>,
    work: &'a dyn Fn(Rank, i64),
}

extern "C" fn block(ctx: *const Ctx, args: *const u64) {
    // SAFETY: `spmd` passes the address of a team, which outlives its blocks.
    let team = unsafe { &*(*args as *const Team) };
    let rank = Rank { ctx, ..team.rank };
    (team.work)(rank, pld_rt_block_idx(ctx));
}

/// Runs `count` blocks of `work`, given its view of the rank and the block's number.
fn spmd(rank: Rank, count: i64, work: &dyn Fn(Rank, i64)) {
    let team = Team { rank, work };
    let mut args = [&raw const team as u64];
    let body = block as *const () as *mut u8;
    pld_rt_spmd(rank.ctx, count, body, args.as_mut_ptr().cast(), 9);
}

fn every(check: impl Fn(&Options)) {
    for workers in [1, 2] {
        check(&Options {
            workers,
            ..world(3)
        });
    }
    for (seed, weak) in [(0, true), (1, false), (2, true), (3, false)] {
        check(&Options {
            seed,
            weak,
            ..world(3)
        });
    }
}

/// Each number from 0 to count runs once, and all have ended when the operation has: also for none, one, and again.
#[test]
fn all_blocks_run() {
    every(|options| {
        let report = simulate(options, &[4096], &|rank| {
            for (base, count) in [(0, 4), (100, 0), (200, 1), (300, 17), (400, -3), (500, 4)] {
                spmd(rank, count, &|rank, block| {
                    assert_eq!(pld_rt_block_num(rank.ctx), count);
                    let sum = rank.get(0, base + block, 1) + 1.0;
                    rank.put(sum, 0, base + block, 2);
                });
                for block in 0..20 {
                    let expected = if block < count { 1.0 } else { 0.0 };
                    assert_eq!(rank.get(0, base + block, 3), expected, "{count} {block}");
                }
                assert_eq!(
                    (pld_rt_block_idx(rank.ctx), pld_rt_block_num(rank.ctx)),
                    (0, 1)
                );
            }
        });
        assert_clean(&report);
    });
}

/// Blocks of one rank wait and are notified each for itself, also on one cell.
#[test]
fn blocks_wait_concurrently() {
    every(|options| {
        let report = simulate(options, &[256, 256], &|rank| {
            let next = (rank.me + 1) % rank.n;
            spmd(rank, 4, &|rank, block| {
                rank.store(block as f32 + 1.0, 1, block, next, OVERWRITE, 1);
                rank.add(1, 0, block, next, 2);
                rank.wait_ge(1, 0, block, 3);
                assert_eq!(rank.get(1, block, 4), block as f32 + 1.0);
                rank.add(1, 0, 8, rank.me, 5);
                rank.wait_ge(4, 0, 8, 6);
            });
        });
        assert_clean(&report);
        let counters = &report.counters[0];
        assert_eq!((counters.notifies, counters.own_notifies), (4, 4));
        assert_eq!(report.counters[0].stores, 4);
    });
}

/// What blocks did before a meeting is seen behind it, many times in a row; without it, it is a race in window and GM.
#[test]
fn a_meeting_orders() {
    for meets in [true, false] {
        every(|options| {
            let report = simulate(options, &[256], &|rank| {
                let gm = pld_rt_alloc(rank.ctx, 64, 0).cast::<f32>();
                spmd(rank, 4, &|rank, block| {
                    for round in 0..5 {
                        let value = (10 * round + block) as f32;
                        rank.put(value, 0, block, 1);
                        let cell = gm.wrapping_add(block as usize);
                        pld_rt_access(rank.ctx, 1, cell.cast(), 4, 1, 4, 2);
                        // SAFETY: the array has room for 16 numbers.
                        unsafe { cell.write_volatile(value) };
                        if meets {
                            pld_rt_sync_blocks(rank.ctx, 3);
                        }
                        let other = (block + 1) % 4;
                        let cell = gm.wrapping_add(other as usize);
                        pld_rt_access(rank.ctx, 0, cell.cast(), 4, 1, 4, 5);
                        // SAFETY: as above.
                        let seen = [rank.get(0, other, 4), unsafe { cell.read_volatile() }];
                        if meets {
                            assert_eq!(seen, [(10 * round + other) as f32; 2]);
                            pld_rt_sync_blocks(rank.ctx, 6);
                        }
                    }
                });
                pld_rt_sync_blocks(rank.ctx, 7);
            });
            if meets {
                return assert_clean(&report);
            }
            let found = |window| {
                report.findings.iter().any(|finding| {
                    matches!(&finding.details, Details::Race { window: w, accesses: [a, b], .. }
                        if *w == window && a.rank == b.rank && a.block != b.block && a.block.is_some() && b.block.is_some())
                })
            };
            assert!(found(Some(0)) && found(None), "{:#?}", report.findings);
        });
    }
}

/// The text of a race in GM names the blocks and no addresses, which differ from run to run.
#[test]
fn text_of_a_race_in_gm() {
    let report = simulate(&world(1), &[64], &|rank| {
        let gm = pld_rt_alloc(rank.ctx, 64, 0);
        pld_rt_access(rank.ctx, 1, gm, 0, 1, 64, 1);
        spmd(rank, 2, &|rank, block| {
            pld_rt_access(rank.ctx, block, gm.wrapping_add(32), 0, 1, 32, 2 + block);
        });
        pld_rt_access(rank.ctx, 1, gm, 0, 1, 64, 4);
    });
    let text = only(&report).to_string();
    let line = "k.mlir:4:1: error: race on 32 bytes of memory of rank 0: rank 0, block 1 writes 32 bytes in 'op3', \
                not ordered with rank 0, block 0 reads 32 bytes in 'op2' at k.mlir:3:1 [pld-403]";
    assert!(text.contains(line), "{text}");
}

/// A meeting that one block misses, and a wait of one block, are reported with rank and block.
#[test]
fn deadlocks_name_blocks() {
    for workers in [1, 2] {
        let options = Options {
            workers,
            ..world(2)
        };
        let report = simulate(&options, &[64], &|rank| {
            spmd(rank, 3, &|rank, block| match (rank.me, block) {
                (1, 2) => rank.wait_ge(1, 0, 5, 4),
                (1, _) => pld_rt_sync_blocks(rank.ctx, 3),
                _ => {}
            });
        });
        let finding = only(&report);
        let Details::Deadlock {
            waiting, meeting, ..
        } = &finding.details
        else {
            panic!("{finding}");
        };
        assert_eq!(
            (waiting.len(), waiting[0].rank, waiting[0].block),
            (1, 1, Some(2))
        );
        let met: Vec<_> = meeting
            .iter()
            .map(|m| (m.rank, m.block, m.arrived, m.blocks))
            .collect();
        assert_eq!(met, [(1, 0, 2, 3), (1, 1, 2, 3)]);
        let text = finding.to_string();
        assert!(text.contains("deadlock: 1 rank waits for ever"), "{text}");
        let wait = "k.mlir:5:1: note: rank 1, block 2 waits in 'op4' on cell 5 of window buffer 0";
        let meet = "k.mlir:4:1: note: rank 1, block 0 waits in 'op3' for the other blocks of its rank: 2 of 3 have come";
        assert!(text.contains(wait) && text.contains(meet), "{text}");
    }
}

/// Many blocks on many ranks, again and again: tasks and stacks are used anew, no wake-up is lost.
#[test]
fn many_blocks() {
    for workers in [1, 2] {
        let options = Options {
            workers,
            ..world(40)
        };
        let report = simulate(&options, &[4096], &|rank| {
            for round in 0..10 {
                spmd(rank, 2 + (rank.me + round) % 30, &|rank, block| {
                    for _ in 0..3 {
                        pld_rt_sync_blocks(rank.ctx, 1);
                    }
                    rank.add(1, 0, block, (rank.me + 1) % rank.n, 2);
                    pld_rt_sync_blocks(rank.ctx, 3);
                });
            }
        });
        assert_clean(&report);
    }
}
