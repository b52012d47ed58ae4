//! The detector against brute force: random protocols run by a small interpreter, with happens-before as explicit sets of
//! events. On every byte the first racing access must be the same, and everything reported must be a race.

use super::access::AccessKind;
use super::model::{Model, Past, conflicting};
use super::*;
use crate::wait::Compare;
use std::collections::HashMap;

/// Data and cells share these bytes of each rank, which straddle a page edge.
const FIRST: usize = 4096 - 24;
const BYTES: usize = 48;
const CELLS: [usize; 3] = [0, 24, 28];

#[derive(Clone, Copy, Debug)]
enum Op {
    Plain {
        kind: AccessKind,
        rank: usize,
        offset: usize,
        rect: Rect,
        pitch: usize,
    },
    Notify {
        mode: Mode,
        value: i32,
        rank: usize,
        cell: usize,
    },
    Wait {
        condition: Condition,
        cell: usize,
    },
}

fn random_op(random: &mut fastrand::Rng, ranks: usize, cells: &[usize], set: bool) -> Op {
    let rank = random.usize(..ranks);
    let cell = cells[random.usize(..cells.len())];
    match random.u32(..10) {
        0..4 => {
            let kind =
                [AccessKind::Read, AccessKind::Write, AccessKind::AtomicAdd][random.usize(..3)];
            let rect = Rect {
                rows: 1 + random.usize(..3),
                bytes: 1 + random.usize(..8),
            };
            let pitch = rect.bytes + random.usize(..4);
            let span = rect.span(pitch).unwrap();
            Op::Plain {
                kind,
                rank,
                offset: random.usize(..=BYTES - span),
                rect,
                pitch,
            }
        }
        4..7 => {
            let mode = if set { Mode::Set } else { Mode::Add };
            let mode = if random.u32(..20) == 0 {
                Mode::Set
            } else {
                mode
            };
            Op::Notify {
                mode,
                value: random.i32(-1..4),
                rank,
                cell,
            }
        }
        _ => {
            let compare = [
                Compare::Ge,
                Compare::Ge,
                Compare::Eq,
                Compare::Gt,
                Compare::Ne,
                Compare::Le,
            ][random.usize(..6)];
            Op::Wait {
                condition: Condition {
                    compare,
                    value: random.i32(0..4),
                },
                cell,
            }
        }
    }
}

/// What the two sides say about one protocol.
#[derive(Default)]
struct Outcome {
    racy: usize,
    misused: usize,
}

fn run_protocol(seed: u64) -> Outcome {
    let mut random = fastrand::Rng::with_seed(seed);
    let ranks = random.usize(2..=5);
    let cells = &CELLS[..random.usize(1..=3)];
    let set = random.u32(..3) == 0;
    let mut programs: Vec<Vec<Op>> = (0..ranks)
        .map(|_| {
            (0..random.usize(1..12))
                .map(|_| random_op(&mut random, ranks, cells, set))
                .collect()
        })
        .collect();
    programs.iter_mut().for_each(|program| program.reverse());
    let races = Races::new(ranks, false);
    let mut trackers: Vec<_> = (0..ranks).map(|rank| races.tracker(rank)).collect();
    let mut model = Model {
        tasks: vec![Past::new(); ranks],
        ..Model::default()
    };
    let mut first_race: [HashMap<(usize, usize), usize>; 2] = Default::default();
    let mut misused: HashMap<(usize, usize), bool> = HashMap::new();
    let mut outcome = Outcome::default();
    let place = |rank: usize, offset: usize| {
        let address = (rank + 1) * (1 << 20) + FIRST + offset;
        Place {
            buffer: 0,
            rank,
            offset,
            pointer: address as *mut u8,
        }
    };
    loop {
        let ready: Vec<usize> = (0..ranks)
            .filter(|&task| match programs[task].last() {
                Some(&Op::Wait { condition, cell }) => {
                    model.cells.entry((task, cell)).or_default().waited = true;
                    condition.holds(model.cells[&(task, cell)].value)
                }
                op => op.is_some(),
            })
            .collect();
        if ready.is_empty() {
            break;
        }
        let task = ready[random.usize(..ready.len())];
        let tracker = &mut trackers[task];
        let site = model.events.len() as i64;
        let (found, rank, racing) = match programs[task].pop().unwrap() {
            Op::Plain {
                kind,
                rank,
                offset,
                rect,
                pitch,
            } => {
                let found = races.access(
                    tracker,
                    kind,
                    Touch {
                        place: place(rank, offset),
                        rect,
                        pitch,
                        site,
                        in_barrier: false,
                    },
                );
                let event = model.event(task);
                let bytes = rect
                    .runs(pitch)
                    .flat_map(|(start, bytes)| offset + start..offset + start + bytes);
                (found, rank, model.touch(event, kind, rank, bytes))
            }
            Op::Notify {
                mode,
                value,
                rank,
                cell,
            } => {
                let event = model.event(task);
                let value = model.notify(event, mode, value, rank, cell);
                let touch = Touch {
                    place: place(rank, cell),
                    rect: crate::device::CELL,
                    pitch: 0,
                    site,
                    in_barrier: false,
                };
                let found = races.notify(tracker, mode, touch, || value);
                let racing = model.touch(event, AccessKind::Notify, rank, cell..cell + 4);
                *misused.entry((rank, cell)).or_default() |= found.misuse.is_some();
                (found, rank, racing)
            }
            Op::Wait { condition, cell } => {
                let touch = Touch {
                    place: place(task, cell),
                    rect: crate::device::CELL,
                    pitch: 0,
                    site,
                    in_barrier: false,
                };
                let value = model.cells[&(task, cell)].value;
                let (passed, found) = races.wait(tracker, condition, touch, || value);
                assert!(passed, "seed {seed}: the condition holds");
                *misused.entry((task, cell)).or_default() |= found.misuse.is_some();
                model.acquire(task, cell, condition);
                let event = model.event(task);
                model.took_notice(event, task, cell);
                (
                    found,
                    task,
                    model.touch(event, AccessKind::Wait, task, cell..cell + 4),
                )
            }
        };
        let event = model.events.len() - 1;
        for byte in racing {
            outcome.racy += 1;
            first_race[0].entry((rank, byte)).or_insert(event);
        }
        for conflict in found.conflicts {
            let older = races.descriptions.get(conflict.older.what).site as usize;
            assert!(
                !model.before(older, event),
                "seed {seed}: event {event} is ordered after {older}"
            );
            let base = place(rank, 0).pointer as usize;
            for byte in conflict.start - base..conflict.end - base {
                let kinds = &model.bytes[&(rank, byte)];
                let kind = |e: usize| {
                    kinds
                        .iter()
                        .find(|(event, _)| *event == e)
                        .map(|(_, kind)| *kind)
                };
                let real = kind(older)
                    .zip(kind(event))
                    .is_some_and(|(a, b)| conflicting(a, b));
                assert!(
                    real,
                    "seed {seed}: events {older} and {event} do not conflict on byte {byte}"
                );
                first_race[1].entry((rank, byte)).or_insert(event);
            }
        }
    }
    assert_eq!(
        first_race[0], first_race[1],
        "seed {seed}: first racing events by byte"
    );
    // A task that is blocked to the end has announced its wait as well.
    for (task, program) in programs.iter().enumerate() {
        if let Some(&Op::Wait { condition, cell }) = program.last() {
            let touch = Touch {
                place: place(task, cell),
                rect: crate::device::CELL,
                pitch: 0,
                site: 0,
                in_barrier: false,
            };
            let value = model.cells[&(task, cell)].value;
            let (passed, found) = races.wait(&mut trackers[task], condition, touch, || value);
            assert!(!passed, "seed {seed}: the condition does not hold");
            *misused.entry((task, cell)).or_default() |= found.misuse.is_some();
        }
    }
    for (key, history) in &model.cells {
        let expected = history.mixed || (history.overwritten && history.waited);
        assert_eq!(
            misused.get(key).copied().unwrap_or(false),
            expected,
            "seed {seed}: misuse of cell {key:?}"
        );
        outcome.misused += usize::from(expected);
    }
    outcome
}

fn agree(seeds: std::ops::Range<u64>) {
    let count = seeds.end - seeds.start;
    let outcomes: Vec<_> = seeds.map(run_protocol).collect();
    let racy = outcomes.iter().filter(|o| o.racy > 0).count() as u64;
    let misused = outcomes.iter().filter(|o| o.misused > 0).count() as u64;
    // The comparison is worth something only if both verdicts are common.
    assert!(
        (count / 10..count * 9 / 10).contains(&racy),
        "{racy} of {count} protocols race"
    );
    assert!(
        (count / 50..count * 9 / 10).contains(&misused),
        "{misused} of {count} protocols misuse a signal"
    );
}

#[test]
fn detector_agrees_with_brute_force() {
    agree(0..4_000);
}

#[test]
#[ignore = "minutes; the same as above with many more protocols"]
fn detector_agrees_with_brute_force_at_length() {
    agree(4_000..400_000);
}
