//! Running many programs in a process of its own, under watch: a crash, a hang or memory
//! without end is a finding with a seed, like any other.

use super::check::Tally;
use fastrand::Rng;
use pld_suite as session;
use std::{
    env, fs,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Set for the process that runs the programs: the file in which it leaves the seed of the
/// present one.
const CHILD: &str = "PLD_FUZZ_CHILD";
/// How long one program may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// How much memory the process may hold.
const MEMORY: u64 = 4 << 30;
/// After so many crashes there is enough to look at.
const CRASHES: usize = 5;
/// What is uniqued in a context stays until it goes, so there is a new one now and then.
const PER_CONTEXT: u64 = 1000;

fn setting(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// Makes programs with `make` and asks `check` what is wrong with how each is taken.
pub fn campaign(
    test: &str,
    make: impl Fn(&mut Rng) -> String,
    check: impl Fn(&melior::Context, &str, &mut Tally) -> Option<String>,
) {
    let default = if env::var_os("PLD_LONG").is_some() {
        70_000
    } else {
        1500
    };
    let cases = setting("PLD_FUZZ_CASES").unwrap_or(default);
    let start = setting("PLD_FUZZ_SEED").unwrap_or(0);
    if let Some(progress) = env::var_os(CHILD) {
        return run(start, cases, Path::new(&progress), make, check);
    }
    let end = start + cases;
    let (mut next, mut crashes) = (start, Vec::new());
    while next < end && crashes.len() < CRASHES {
        let Some((seed, how)) = watch(test, next, end - next) else {
            break;
        };
        let program = make(&mut Rng::with_seed(seed));
        crashes.push(format!("seed {seed}: {how}\n{program}"));
        next = seed + 1;
    }
    assert!(crashes.is_empty(), "{test}: {}", crashes.join("\n----\n"));
}

/// The process's side: all programs, and what was wrong with them.
fn run(
    start: u64,
    cases: u64,
    progress: &Path,
    make: impl Fn(&mut Rng) -> String,
    check: impl Fn(&melior::Context, &str, &mut Tally) -> Option<String>,
) {
    let mut context = session::context();
    let (mut tally, mut faults) = (Tally::default(), Vec::new());
    for seed in start..start + cases {
        if (seed - start) % PER_CONTEXT == PER_CONTEXT - 1 {
            context = session::context();
        }
        fs::write(progress, seed.to_string()).expect("the seed is kept for the watch");
        let text = make(&mut Rng::with_seed(seed));
        if let Some(fault) = check(&context, &text, &mut tally) {
            faults.push(format!("seed {seed}: {fault}\n{text}"));
        }
    }
    let count = faults.len();
    faults.truncate(3);
    assert!(
        count == 0,
        "{count} faults in {cases} programs; {}",
        faults.join("\n----\n")
    );
    println!("{tally}");
    // Of a few programs one cannot tell.
    if cases >= 1000 {
        tally.expect_variety();
    }
}

/// Runs programs in a process and watches it. Faults that it reports itself are reported
/// anew; how it ended otherwise is returned, with the seed.
fn watch(test: &str, start: u64, cases: u64) -> Option<(u64, String)> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = |what: &str| folder.join(format!("{test}-{}.{what}", std::process::id()));
    let (progress, output) = (file("seed"), file("out"));
    let log = fs::File::create(&output).expect("the target folder is writable");
    let errors = log.try_clone().expect("a file can be written twice");
    let mut child = Command::new(env::current_exe().expect("this program has a path"))
        .args([&format!("fuzz::{test}"), "--exact", "--nocapture"])
        .env(CHILD, &progress)
        .env("PLD_FUZZ_SEED", start.to_string())
        .env("PLD_FUZZ_CASES", cases.to_string())
        .stdout(Stdio::from(log))
        .stderr(Stdio::from(errors))
        .spawn()
        .expect("this program runs once more");
    let seed = || fs::read_to_string(&progress).ok()?.parse().ok();
    let end = wait(&mut child, seed);
    let (seed, said) = (
        seed().unwrap_or(start),
        fs::read(&output).unwrap_or_default(),
    );
    let said = String::from_utf8_lossy(&said).into_owned();
    let _ = (fs::remove_file(&progress), fs::remove_file(&output));
    match end {
        Err(why) => Some((seed, why.into())),
        Ok(status) if status.success() => {
            println!("{said}");
            None
        }
        Ok(status) => match status.signal() {
            Some(signal) => Some((seed, format!("signal {signal}\n{said}"))),
            None => panic!("{test}: {said}"),
        },
    }
}

/// Waits for the process; kills it if a program hangs or memory runs out.
fn wait(child: &mut Child, seed: impl Fn() -> Option<u64>) -> Result<ExitStatus, &'static str> {
    let (mut last, mut since) = (None, Instant::now());
    loop {
        if let Some(status) = child.try_wait().expect("the process is ours") {
            return Ok(status);
        }
        let now = seed();
        if now != last {
            (last, since) = (now, Instant::now());
        }
        let why = if since.elapsed() > PATIENCE {
            Some("hangs")
        } else if resident(child.id()) > MEMORY {
            Some("takes memory without end")
        } else {
            None
        };
        if let Some(why) = why {
            let _ = child.kill();
            let _ = child.wait();
            return Err(why);
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Bytes of memory that a process holds; 0 where the system does not say.
fn resident(process: u32) -> u64 {
    let pages = || -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
        text.split(' ').nth(1)?.parse().ok()
    };
    pages().unwrap_or(0) * 4096
}
