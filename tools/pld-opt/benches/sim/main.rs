//! The simulator against other libraries that do the same, and against bars of its own.
//!
//! Every figure is a program of this folder through the release `pld-run`. A time of one round
//! is the difference of a run of many rounds and one of a single round, divided by the rounds,
//! so start-up is not in it. Ours and the peers take turns, so that what else the machine does
//! falls on all; medians, with the range in brackets. Results are compared with the peers'.
//!
//! `PLD_BENCH_RUNS` sets how many runs the medians are of (5), `PLD_BENCH_PEERS=0` leaves the
//! peers out, and arguments choose the lines that contain one of them.

mod ours;
mod peers;

use ours::{
    ALLREDUCE, ALLREDUCE_BY_HAND, ALLREDUCE_IN_PLACE, BARRIER, PAIRS, RING_SHIFT, RING_STEP, STUCK,
    Shape, Tool,
};
use peers::{Peer, Peers};
use std::{
    env,
    path::{Path, PathBuf},
    process::ExitCode,
};

type Outcome<T = ()> = Result<T, String>;

/// Checks off.
const BARE: &str = "--check none --unchecked";
const KIB: usize = 1024;

/// The middle of at least one value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Median and range.
fn spread(values: &[f64]) -> String {
    let (low, high) = values.iter().fold((f64::MAX, 0f64), |(low, high), &v| {
        (low.min(v), high.max(v))
    });
    format!(
        "{} [{}..{}]",
        figure(median(values.to_vec())),
        figure(low),
        figure(high)
    )
}

fn figure(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v > 0.0 && v < 0.01 => format!("1/{:.0}", 1.0 / v),
        v => format!("{v:.2}"),
    }
}

struct Bench {
    tool: Tool,
    peers: Option<Peers>,
    folder: PathBuf,
    runs: usize,
    chosen: Vec<String>,
    missed: usize,
}

impl Bench {
    fn wants(&self, name: &str) -> bool {
        self.chosen.is_empty() || self.chosen.iter().any(|word| name.contains(word.as_str()))
    }

    /// A line of the table. `bar` is the most that `value` may be.
    fn line(&mut self, name: &str, what: &str, value: f64, bar: Option<f64>) {
        let verdict = match bar {
            None => String::new(),
            Some(bar) if value <= bar => format!("<= {}", figure(bar)),
            Some(bar) => {
                self.missed += 1;
                format!("<= {} MISSED", figure(bar))
            }
        };
        println!("| {name} | {what} | {} | {verdict} |", figure(value));
    }

    /// A round of a program against peers; a bar is the most that our time may be of theirs.
    fn against(
        &mut self,
        name: &str,
        operation: &str,
        shape: Shape,
        ranks: usize,
        peers: &[(Peer, Option<f64>)],
    ) -> Outcome {
        if !self.wants(name) {
            return Ok(());
        }
        let program = self.tool.program(&name.replace([' ', ','], "_"), shape)?;
        let bytes = shape.rows * shape.cols * 4;
        let mut result = "-".to_owned();
        if operation != "barrier" {
            let file = self.folder.join("result.npy");
            let words = format!("-n {ranks} --arg 2=3 --out 1={}", file.display());
            self.tool.run(&program, &words, 0)?;
            result = file.to_string_lossy().into_owned();
        }
        let words = format!("-n {ranks} {BARE}");
        let rounds = self.tool.enough(&program, &words)?;
        let mut ours = Vec::new();
        let mut theirs = vec![Vec::new(); peers.len()];
        for _ in 0..self.runs {
            ours.push(self.tool.round(&program, &words, rounds)?);
            let Some(all) = &self.peers else { continue };
            for (times, (peer, _)) in theirs.iter_mut().zip(peers) {
                let operation = match peer {
                    Peer::OpenMpiPut => "put",
                    _ => operation,
                };
                times.extend(all.time(*peer, operation, ranks, bytes, &result)?);
            }
        }
        println!("| {name} | us a round | {} | |", spread(&ours));
        for ((peer, bar), times) in peers.iter().zip(&theirs) {
            if times.is_empty() {
                println!("| {name} | {} | not measured | |", peer.name());
                continue;
            }
            let ratio = median(ours.clone()) / median(times.clone());
            let what = format!("of {}, {} us", peer.name(), spread(times));
            self.line(name, &what, ratio, *bar);
        }
        Ok(())
    }

    /// Median time of a whole process in seconds, and its largest size in MiB.
    fn process(
        &mut self,
        name: &str,
        shape: Shape,
        words: &str,
        bars: [Option<f64>; 2],
    ) -> Outcome {
        if !self.wants(name) {
            return Ok(());
        }
        let program = self.tool.program(&name.replace([' ', ','], "_"), shape)?;
        let mut times = Vec::new();
        let mut sizes = Vec::new();
        for _ in 0..self.runs {
            let run = self.tool.run(&program, words, 0)?;
            times.push(run.time.as_secs_f64());
            sizes.push(run.mib);
        }
        self.line(
            name,
            &format!("s, {}", spread(&times)),
            median(times),
            bars[0],
        );
        self.line(name, "MiB", median(sizes), bars[1]);
        Ok(())
    }

    /// Rounds of several variants of one program in turn; their medians in microseconds.
    fn rounds(&self, variants: &[(&Path, String, u64)]) -> Outcome<Vec<Vec<f64>>> {
        let mut times = vec![Vec::new(); variants.len()];
        for _ in 0..self.runs {
            for (times, (program, words, rounds)) in times.iter_mut().zip(variants) {
                times.push(self.tool.round(program, words, *rounds)?);
            }
        }
        Ok(times)
    }

    fn races(&mut self, name: &str, shape: Shape, bar: f64) -> Outcome {
        if !self.wants(name) {
            return Ok(());
        }
        let program = self.tool.program("races", shape)?;
        let words = |check| format!("-n 4 --seed 0 --check {check}");
        let rounds = self.tool.enough(&program, &words("races"))?;
        let variants = ["none", "races"].map(|check| (&*program, words(check), rounds));
        let times = self.rounds(&variants)?;
        let ratio = median(times[1].clone()) / median(times[0].clone());
        let what = format!(
            "races on over off, {} us over {} us",
            spread(&times[1]),
            spread(&times[0])
        );
        self.line(name, &what, ratio, Some(bar));
        Ok(())
    }

    fn flat(&mut self) -> Outcome {
        let name = "history of accesses";
        if !self.wants(name) {
            return Ok(());
        }
        let sizes = [100, 1_600, 25_600];
        let mut programs = Vec::new();
        for rows in sizes {
            let shape = Shape {
                core: PAIRS,
                rows,
                cols: 64,
                tile: 1,
            };
            programs.push(self.tool.program(&format!("pairs{rows}"), shape)?);
        }
        let words = "-n 2 --seed 0 --check races";
        // Each place many times, so that what the first access of it costs is not seen.
        let variants: Vec<_> = programs
            .iter()
            .map(|program| (&**program, words.to_owned(), 2_000_000))
            .collect();
        let times = self.rounds(&variants)?;
        let first = median(times[0].clone());
        for (rows, times) in sizes.iter().zip(&times) {
            let what = format!(
                "a store and a load, {rows} places, {} us, of {}",
                spread(times),
                sizes[0]
            );
            self.line(
                name,
                &what,
                median(times.clone()) / first,
                (*rows > sizes[0]).then_some(1.5),
            );
        }
        Ok(())
    }

    fn growth(&mut self) -> Outcome {
        let name = "time a message";
        if !self.wants(name) {
            return Ok(());
        }
        let program = self.tool.program("growth", Shape::empty(BARRIER))?;
        let mut variants = Vec::new();
        for ranks in [64u32, 4096] {
            let words = format!("-n {ranks} {BARE}");
            let rounds = self.tool.enough(&program, &words)?;
            variants.push((&*program, words, rounds));
        }
        let times = self.rounds(&variants)?;
        let message =
            |times: &[f64], ranks: f64| median(times.to_vec()) / (ranks * ranks.log2()) * 1e3;
        let (few, many) = (message(&times[0], 64.0), message(&times[1], 4096.0));
        let what = format!(
            "4,096 ranks over 64, {} ns over {} ns",
            figure(many),
            figure(few)
        );
        self.line(name, &what, many / few, Some(4.0));
        Ok(())
    }

    fn deadlock(&mut self) -> Outcome {
        let name = "deadlock of 1,024 ranks";
        if !self.wants(name) {
            return Ok(());
        }
        let program = self.tool.program("stuck", Shape::empty(STUCK))?;
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..4 * self.runs {
            for (ends, code) in [(1, 0), (0, 3)] {
                let words = format!("-n 1024 {BARE} --arg 2={ends}");
                let run = self.tool.run(&program, &words, code)?;
                times[ends as usize].push(run.cpu.as_secs_f64() * 1e3);
            }
        }
        let more = median(times[0].clone()) - median(times[1].clone());
        let what = format!(
            "ms of processor more than a run that ends where this one waits, {} over {}",
            spread(&times[0]),
            spread(&times[1])
        );
        self.line(name, &what, more, Some(10.0));
        Ok(())
    }

    fn examples(&mut self) -> Outcome {
        let name = "start to OK";
        if !self.wants(name) {
            return Ok(());
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let files = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
        let mut files: Vec<_> = files.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| {
            file.extension()
                .is_some_and(|extension| extension == "mlir")
        });
        files.sort();
        for file in files {
            let mut times = Vec::new();
            for _ in 0..self.runs {
                times.push(self.tool.run(&file, "-d 0,1", 0)?.time.as_secs_f64());
            }
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let what = format!("s, {stem}, {}", spread(&times));
            self.line(name, &what, median(times), Some(0.3));
        }
        Ok(())
    }

    fn all(&mut self) -> Outcome {
        println!("| case | what | figure | bar |\n| --- | --- | --- | --- |");
        for (bytes, size) in [(64 * KIB, "64 KiB"), (KIB * KIB, "1 MiB")] {
            for ranks in [2, 4] {
                let mut peers = vec![
                    (Peer::NumPy, Some(2.0)),
                    (Peer::OpenMpi, None),
                    (Peer::OpenMpiPut, None),
                    (Peer::Mpich, None),
                ];
                if bytes == 64 * KIB {
                    peers.push((Peer::Pallas, Some(1e-3)));
                }
                let name = format!("ring shift {size}, {ranks} ranks");
                self.against(
                    &name,
                    "shift",
                    Shape::of_bytes(RING_SHIFT, bytes),
                    ranks,
                    &peers,
                )?;
            }
        }
        let mpi = |bar| [(Peer::OpenMpi, bar), (Peer::Mpich, None)];
        for (bytes, size, bar) in [(64 * KIB, "64 KiB", Some(0.2)), (KIB * KIB, "1 MiB", None)] {
            self.against(
                &format!("allreduce {size}, 4 ranks"),
                "allreduce_in_place",
                Shape::of_bytes(ALLREDUCE_IN_PLACE, bytes),
                4,
                &mpi(bar),
            )?;
            self.against(
                &format!("allreduce {size}, 4 ranks, copied in and out"),
                "allreduce",
                Shape::of_bytes(ALLREDUCE, bytes),
                4,
                &[&[(Peer::NumPy, None)][..], &mpi(None)].concat(),
            )?;
        }
        self.against(
            "barrier, 4 ranks",
            "barrier",
            Shape::empty(BARRIER),
            4,
            &mpi(Some(0.1)),
        )?;

        let step = Shape::of_bytes(RING_STEP, 64 * KIB);
        let bare = format!("-n 4096 --arg 2=1 {BARE}");
        self.process(
            "ring step 64 KiB, 4,096 ranks",
            step,
            &bare,
            [Some(2.0), Some(1024.0)],
        )?;
        self.process(
            "ring step 64 KiB, 4,096 ranks, races on",
            step,
            "-n 4096 --arg 2=1",
            [Some(5.0), None],
        )?;
        let many = format!("-n 65536 --arg 2=1 {BARE}");
        self.process(
            "barrier, 65,536 ranks",
            Shape::empty(BARRIER),
            &many,
            [Some(5.0), None],
        )?;
        self.mesh()?;
        self.growth()?;
        let tiles = |cols, tile| Shape {
            core: ALLREDUCE_BY_HAND,
            rows: KIB * KIB / 4 / cols,
            cols,
            tile,
        };
        self.races(
            "races, allreduce 1 MiB, tiles of 16 KiB",
            tiles(1024, 4),
            1.5,
        )?;
        self.races("races, allreduce 1 MiB, tiles of 256 B", tiles(64, 1), 3.0)?;
        self.flat()?;
        self.deadlock()?;
        self.examples()
    }

    fn mesh(&mut self) -> Outcome {
        let name = "allreduce of 64 floats, 1,024 ranks";
        if !self.wants(name) {
            return Ok(());
        }
        let shape = Shape {
            core: ALLREDUCE_BY_HAND,
            rows: 1,
            cols: 64,
            tile: 1,
        };
        let program = self.tool.program("mesh", shape)?;
        let times = self.rounds(&[(&*program, format!("-n 1024 {BARE}"), 10)])?;
        let seconds: Vec<_> = times[0].iter().map(|micros| micros / 1e6).collect();
        self.line(
            name,
            &format!("s a round, {}", spread(&seconds)),
            median(seconds),
            Some(0.2),
        );
        Ok(())
    }
}

fn run() -> Outcome<usize> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let runs = env::var("PLD_BENCH_RUNS").ok();
    let runs = runs.and_then(|runs| runs.parse().ok()).unwrap_or(5).max(1);
    let peers = env::var("PLD_BENCH_PEERS").is_ok_and(|peers| peers == "0");
    let peers = (!peers).then(|| Peers::install(&folder.join("peers")));
    let missing = peers.iter().flat_map(|peers| &peers.missing);
    missing.for_each(|(name, why)| println!("not installed: {name}: {why}"));
    println!("medians of {runs} runs, with the range in brackets\n");
    let mut bench = Bench {
        tool: Tool::new(&folder)?,
        peers,
        folder,
        runs,
        // Cargo says that it runs a benchmark.
        chosen: env::args()
            .skip(1)
            .filter(|word| word != "--bench")
            .collect(),
        missed: 0,
    };
    bench.all()?;
    Ok(bench.missed)
}

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(missed) => {
            eprintln!("sim: {missed} bars are missed");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("sim: {error}");
            ExitCode::FAILURE
        }
    }
}
