//! Random collectives, in every place where they may stand, against plain arithmetic: on any
//! number of ranks, of any type and length, in several schedules, in order and delayed, by
//! both forms of barrier. Nothing may race, and the signal is clear after.

mod program;
mod reference;

use super::{
    harness::{bytes, compiled, numbers},
    values::{Random, Type, assert_same},
};
use pld_lowering::{Barrier, cpu::CompileOptions};
use pld_runtime::{Options, Program, run};
use program::{Case, Kind};
use reference::{Arrays, expected, from_rank_zero, round};

fn input(case: &Case, random: &mut Random) -> Arrays {
    let n = case.world;
    let count = |shape: &[usize]| n * shape.iter().product::<usize>();
    let element = case.element;
    let mut codes = |count: usize| -> Vec<u64> {
        let mut code = || {
            if element.is_float() && from_rank_zero(case) {
                element.nearest((random.next() as i16) as f32 / 1000.0)
            } else if element.is_float() {
                round(element, random.next())
            } else {
                element.wrap(random.next() as i64)
            }
        };
        (0..count).map(|_| code()).collect()
    };
    let (x, y) = (codes(count(&case.x)), codes(count(&case.y)));
    let counts = (0..n * n).map(|_| random.below(9) as i32 - 1).collect();
    Arrays { x, y, counts }
}

fn check(case: &Case, barrier: Barrier, random: &mut Random) {
    let text = case.text();
    let code = compiled(
        &text,
        CompileOptions {
            barrier,
            ..CompileOptions::default()
        },
    );
    let input = input(case, random);
    let (y, z) = expected(case, &input);
    for (seed, weak) in [
        (0, false),
        (0, true),
        (random.next(), false),
        (random.next(), true),
    ] {
        let element = case.element;
        let mut arrays = [
            element.encode(&input.x),
            element.encode(&input.y),
            bytes(&input.counts),
            bytes(&vec![-1i32; z.len()]),
        ];
        let words: Vec<_> = arrays.iter_mut().map(|it| it.as_mut_ptr() as u64).collect();
        let program = Program {
            entry: code.function("main").expect("the entry is compiled"),
            sites: code.sites(),
        };
        let options = Options {
            world: case.world,
            seed,
            weak,
            ..Options::default()
        };
        let report = run(&program, &words, &options);
        let what = format!("{case:?}, {barrier}, seed {seed}, weak {weak}");
        assert!(
            report.findings.is_empty() && report.error.is_none(),
            "{what}\n{text}\n{:?} {:#?}",
            report.error,
            report.findings
        );
        assert_same(element, &element.decode(&arrays[1]), &y, &what);
        assert_eq!(numbers::<i32>(&arrays[3]), z, "{what}");
    }
}

fn campaign(cases: u64, seed: u64) {
    let mut random = Random::new(seed);
    for number in 0..cases {
        let case = Case::random(&mut random);
        let barrier = match number % 3 {
            0 => Barrier::Credit,
            _ => Barrier::Dissemination,
        };
        check(&case, barrier, &mut random);
    }
}

#[test]
fn agree_with_plain_arithmetic() {
    campaign(60, 1);
}

/// The same, for longer.
#[test]
#[ignore = "takes a minute"]
fn agree_with_plain_arithmetic_long() {
    campaign(1500, 2);
}

/// A reference that gave anything would pass the rest: it knows each collective by hand.
#[test]
fn the_reference_is_right() {
    let case = |kind, x: &[usize], y: &[usize]| Case {
        kind,
        place: program::Where::InCore,
        world: 2,
        element: Type::I32,
        reduction: 0,
        algorithm: "mesh",
        root: 1,
        x: x.to_vec(),
        y: y.to_vec(),
        from_array: false,
        rounds: 1,
    };
    let given = |x: &[u64], y: usize| Arrays {
        x: x.to_vec(),
        y: vec![9; y],
        counts: vec![0, 5, 1, -1],
    };
    let result =
        |kind, x: &[usize], y: &[usize], input: &Arrays| expected(&case(kind, x, y), input);
    let four = given(&[1, 2, 30, 40], 4);
    assert_eq!(
        result(Kind::Allreduce, &[2], &[2], &four).0,
        [31, 42, 31, 42]
    );
    assert_eq!(
        result(Kind::Broadcast, &[2], &[2], &four).0,
        [30, 40, 30, 40]
    );
    let two = given(&[1, 2, 30, 40], 2);
    assert_eq!(
        result(Kind::ReduceScatter, &[2, 1], &[1, 1], &two).0,
        [31, 42]
    );
    let one = given(&[1, 2], 4);
    assert_eq!(
        result(Kind::Allgather, &[1, 1], &[2, 1], &one).0,
        [1, 2, 1, 2]
    );
    assert_eq!(
        result(Kind::AllToAll, &[2, 1], &[2, 1], &four).0,
        [1, 30, 2, 40]
    );
    let (y, z) = result(Kind::AllToAllV, &[2, 1], &[2, 1], &four);
    assert_eq!((y, z), (vec![9, 30, 2, 9], vec![0, 1, 1, 0]));
}
