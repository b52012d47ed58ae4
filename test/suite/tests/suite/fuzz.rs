//! Random programs, well and ill formed: none crashes or hangs parser, verifiers or the
//! lowering to tile level, what is refused says why and where, and what is accepted prints
//! and parses again.
//!
//! `PLD_FUZZ_CASES` sets how many cases of each kind run (2000), `PLD_FUZZ_SEED` where they
//! start (0). A case that takes the process down is left in the file that the test names.

mod generate;
mod mutate;

use fastrand::Rng;
use pld_suite as session;
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Seconds after which a case counts as hanging.
const PATIENCE: u64 = 60;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// Ends the process if one case takes too long.
struct Watchdog {
    start: Instant,
    /// Seconds since `start` at which the present case began; `u64::MAX` when all is done.
    began: Arc<AtomicU64>,
}

impl Watchdog {
    fn new(case: PathBuf) -> Self {
        let watchdog = Self {
            start: Instant::now(),
            began: Arc::default(),
        };
        let (start, began) = (watchdog.start, watchdog.began.clone());
        thread::spawn(move || {
            while began.load(Ordering::Relaxed) != u64::MAX {
                thread::sleep(Duration::from_secs(1));
                let limit = began.load(Ordering::Relaxed).saturating_add(PATIENCE);
                if start.elapsed().as_secs() > limit {
                    eprintln!("{} hangs", case.display());
                    std::process::abort();
                }
            }
        });
        watchdog
    }

    fn feed(&self) {
        self.began
            .store(self.start.elapsed().as_secs(), Ordering::Relaxed);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.began.store(u64::MAX, Ordering::Relaxed);
    }
}

/// What is wrong with how a text was taken, if anything.
fn fault(context: &melior::Context, text: &str, codes: &mut BTreeSet<String>) -> Option<String> {
    let outcome = session::run(context, text, "lower-pld-to-tile");
    codes.extend(
        outcome
            .said
            .iter()
            .filter_map(|said| Some(said.code()?.to_owned())),
    );
    if let Some(said) = outcome
        .said
        .iter()
        .find(|said| said.message.contains("internal error"))
    {
        return Some(said.message.clone());
    }
    if let Some(said) = outcome.said.iter().find(|said| !said.is_located) {
        return Some(format!("no place: {}", said.message));
    }
    let Some(printed) = outcome.printed else {
        return outcome
            .said
            .is_empty()
            .then(|| "refused without a word".into());
    };
    // Upstream's own: a symbol without a name prints as what does not parse.
    if printed.contains("<<INVALID EMPTY SYMBOL>>") {
        return None;
    }
    let again = session::run(context, &printed, "");
    match again.printed {
        None => Some(format!("does not parse again: {:?}\n{printed}", again.said)),
        Some(second) if second != printed => Some(format!("prints anew as\n{second}")),
        Some(_) => None,
    }
}

/// Runs `cases` texts. At least `share` of 100 must be accepted, and as many refused: else
/// the generator is no good.
fn fuzz(name: &str, share: u64, mut next: impl FnMut(&mut Rng) -> String) {
    let (cases, seed) = (setting("PLD_FUZZ_CASES", 2000), setting("PLD_FUZZ_SEED", 0));
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}.mlir"));
    let watchdog = Watchdog::new(file.clone());
    let mut context = session::context();
    let (mut accepted, mut faults, mut codes) = (0, Vec::new(), BTreeSet::new());
    for case in seed..seed + cases {
        // What is uniqued in a context stays until it goes.
        if case % 1000 == 999 {
            context = session::context();
        }
        let text = next(&mut Rng::with_seed(case));
        std::fs::write(&file, &text).expect("the case is kept for later");
        watchdog.feed();
        accepted += u64::from(session::run(&context, &text, "").printed.is_some());
        if let Some(fault) = fault(&context, &text, &mut codes) {
            faults.push(format!("seed {case}: {fault}\n{text}"));
        }
    }
    let count = faults.len();
    faults.truncate(3);
    assert!(
        count == 0,
        "{count} faults in {cases} cases; {}",
        faults.join("\n----\n")
    );
    println!("{accepted} of {cases} accepted; {codes:?}");
    let least = cases * share / 100;
    assert!(
        accepted >= least && cases - accepted >= least,
        "{accepted} of {cases} accepted, expected at least {share} % of each kind"
    );
    assert!(codes.len() >= 8, "only {codes:?} were provoked");
}

#[test]
fn random_programs() {
    fuzz("random", 10, generate::module);
}

#[test]
fn mutated_programs() {
    let corpus = mutate::Corpus::new();
    fuzz("mutated", 3, |random| corpus.mutate(random));
}
