//! Our side: programs, and runs of the release `pld-run`.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const HOST: &str = include_str!("host.mlir");

/// A program: in-core text, and the extents that stand for its capital words.
#[derive(Clone, Copy)]
pub struct Shape {
    pub core: &'static str,
    pub rows: usize,
    pub cols: usize,
    /// Rows of a tile.
    pub tile: usize,
}

pub const RING_SHIFT: &str = include_str!("ring_shift.mlir");
pub const ALLREDUCE: &str = include_str!("allreduce_built_in.mlir");
pub const ALLREDUCE_IN_PLACE: &str = include_str!("allreduce_in_place.mlir");
/// In tiles of the shape's choice.
pub const ALLREDUCE_BY_HAND: &str = include_str!("allreduce_by_hand.mlir");
pub const BARRIER: &str = include_str!("barrier.mlir");
pub const RING_STEP: &str = include_str!("ring_step.mlir");
pub const PAIRS: &str = include_str!("pairs.mlir");
pub const STUCK: &str = include_str!("stuck.mlir");

impl Shape {
    /// Slices of so many bytes, in tiles of up to 16 KiB.
    pub fn of_bytes(core: &'static str, bytes: usize) -> Self {
        Self {
            core,
            rows: bytes / 4096,
            cols: 1024,
            tile: 4,
        }
    }

    /// No data to speak of.
    pub fn empty(core: &'static str) -> Self {
        Self {
            core,
            rows: 1,
            cols: 8,
            tile: 1,
        }
    }

    fn text(&self) -> String {
        let host = match self.core {
            // Its arrays are small, and its window is one slice.
            RING_STEP => HOST.replace("ROWSxCOLS", "1x8").replace("TWICE", "ROWS"),
            ALLREDUCE | ALLREDUCE_IN_PLACE => HOST.replace("TWICE", "ROWS"),
            _ => HOST.to_owned(),
        };
        let whole = format!("{}{host}", self.core);
        [
            ("TWICE", 2 * self.rows),
            ("ROWS", self.rows),
            ("COLS", self.cols),
            ("TILE", self.tile),
        ]
        .iter()
        .fold(whole, |text, (word, extent)| {
            text.replace(word, &extent.to_string())
        })
    }
}

/// What one process took.
#[derive(Clone, Copy)]
pub struct Run {
    pub time: Duration,
    /// Time on processors, which other work lengthens less.
    pub cpu: Duration,
    /// Largest resident size in MiB.
    pub mib: f64,
}

/// The tool, and where its programs go.
pub struct Tool {
    run: PathBuf,
    folder: PathBuf,
}

impl Tool {
    pub fn new(folder: &Path) -> Result<Self, String> {
        let run = folder.join("pld-run");
        let _ = fs::remove_file(&run);
        symlink(env!("CARGO_BIN_EXE_pld-opt"), &run).map_err(|error| error.to_string())?;
        Ok(Self {
            run,
            folder: folder.to_owned(),
        })
    }

    /// Writes a program.
    pub fn program(&self, name: &str, shape: Shape) -> Result<PathBuf, String> {
        let path = self.folder.join(format!("{name}.mlir"));
        fs::write(&path, shape.text()).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// Runs `pld-run` on a program, which must exit as expected.
    pub fn run(&self, program: &Path, words: &str, expected: i32) -> Result<Run, String> {
        let start = Instant::now();
        let mut command = Command::new(&self.run);
        command.arg(program).args(words.split_whitespace());
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|error| error.to_string())?;
        let (code, usage) = finish(child.id())?;
        let time = start.elapsed();
        if code != expected {
            return Err(format!(
                "pld-run {} {words}: exit code {code}, expected {expected}",
                program.display()
            ));
        }
        Ok(Run {
            time,
            cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
            mib: usage.ru_maxrss as f64 / 1024.0,
        })
    }

    /// Microseconds of one round, without what a run of one round takes: the difference of two
    /// runs, the longer with enough rounds.
    pub fn round(&self, program: &Path, words: &str, rounds: u64) -> Result<f64, String> {
        let time = |rounds: u64| {
            let run = self.run(program, &format!("{words} --arg 2={rounds}"), 0);
            run.map(|run| run.time.as_secs_f64())
        };
        let (one, many) = (time(1)?, time(rounds + 1)?);
        Ok((many - one).max(0.0) / rounds as f64 * 1e6)
    }

    /// How many rounds take about half a second: so many that two tries both take long, since
    /// anything else that the machine does makes one of them look long.
    pub fn enough(&self, program: &Path, words: &str) -> Result<u64, String> {
        let mut rounds = 8;
        loop {
            let tries = [
                self.round(program, words, rounds)?,
                self.round(program, words, rounds)?,
            ];
            let micros = tries[0].min(tries[1]) * rounds as f64;
            if micros > 2e5 || rounds > 1 << 24 {
                return Ok((rounds as f64 * 5e5 / micros.max(1.0)).ceil().max(1.0) as u64);
            }
            rounds *= 4;
        }
    }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_micros((time.tv_sec * 1_000_000 + time.tv_usec).unsigned_abs())
}

/// Waits for the end of a process; its exit code and what it used.
fn finish(pid: u32) -> Result<(i32, libc::rusage), String> {
    let mut status = 0;
    // SAFETY: an all-zero `rusage` is valid, and the pointers are those of local variables.
    let (ended, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let pid = libc::pid_t::try_from(pid).map_err(|error| error.to_string())?;
        (libc::wait4(pid, &mut status, 0, &mut usage), usage)
    };
    if ended < 0 {
        return Err(format!("wait: {}", std::io::Error::last_os_error()));
    }
    let code = match libc::WIFEXITED(status) {
        true => libc::WEXITSTATUS(status),
        false => -libc::WTERMSIG(status),
    };
    Ok((code, usage))
}
