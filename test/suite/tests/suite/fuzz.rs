//! Random programs, well and ill formed: none crashes or hangs parser, verifiers or passes,
//! what is refused says why and where, and what is accepted prints, parses and stays valid.
//!
//! Each test runs its programs in one process of its own, so that a crash is a finding too.
//! `PLD_FUZZ_CASES` sets how many programs each test runs (1500, and 70000 if `PLD_LONG` is
//! set), `PLD_FUZZ_SEED` where they start (0). One program again:
//! `PLD_FUZZ_SEED=17 PLD_FUZZ_CASES=1 cargo test --release -p pld-suite TEST`.

mod campaign;
mod check;
mod generate;
mod mutate;

use campaign::campaign;
use fastrand::Rng;

/// Percentages of choices that break a rule.
const ODDITIES: &[u8] = &[1, 1, 2, 2, 4, 8];

fn odd_program(random: &mut Rng) -> String {
    let oddity = ODDITIES[random.usize(..ODDITIES.len())];
    generate::module(random, oddity)
}

/// Well formed: accepted, and proof against printing, bytecode and upstream's passes.
#[test]
fn sound_programs() {
    campaign(
        "sound_programs",
        |random| generate::module(random, 0),
        check::sound,
    );
}

/// With some rules broken.
#[test]
fn odd_programs() {
    campaign("odd_programs", odd_program, check::any);
}

/// Programs of the lit tests, of the examples and random ones, with words exchanged.
#[test]
fn mutated_programs() {
    let corpus = mutate::Corpus::new();
    let mutated = |random: &mut Rng| match random.u8(..3) {
        0 => {
            let text = generate::module(random, 0);
            corpus.mutate_text(&text, random)
        }
        _ => corpus.mutate(random),
    };
    campaign("mutated_programs", mutated, check::any);
}
