//! The other side: libraries in virtual environments that the benchmark makes for itself.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A library that does the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    NumPy,
    OpenMpi,
    OpenMpiPut,
    Mpich,
    Pallas,
}

impl Peer {
    pub fn name(self) -> &'static str {
        match self {
            Self::NumPy => "NumPy, one thread",
            Self::OpenMpi => "OpenMPI",
            Self::OpenMpiPut => "OpenMPI put",
            Self::Mpich => "MPICH",
            Self::Pallas => "Pallas interpret",
        }
    }

    /// The environment, and what is installed there.
    fn environment(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::NumPy | Self::OpenMpi | Self::OpenMpiPut => {
                ("openmpi", &["numpy", "mpi4py", "openmpi"])
            }
            Self::Mpich => ("mpich", &["numpy", "mpi4py", "mpich"]),
            Self::Pallas => ("jax", &["numpy", "jax"]),
        }
    }
}

/// The environments.
pub struct Peers {
    folder: PathBuf,
    script: PathBuf,
    /// Environments that could not be made, and why.
    pub missing: Vec<(&'static str, String)>,
}

impl Peers {
    /// Makes what is not there yet.
    pub fn install(folder: &Path) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/sim/peers.py");
        let mut missing = Vec::new();
        for peer in [Peer::OpenMpi, Peer::Mpich, Peer::Pallas] {
            let (name, packages) = peer.environment();
            if let Err(error) = make(&folder.join(name), packages) {
                missing.push((name, error));
            }
        }
        Self {
            folder: folder.to_owned(),
            script,
            missing,
        }
    }

    /// Microseconds of an operation: the median of its samples. `None` if the peer is missing.
    pub fn time(
        &self,
        peer: Peer,
        operation: &str,
        ranks: usize,
        bytes: usize,
        result: &str,
    ) -> Result<Option<f64>, String> {
        let (name, _) = peer.environment();
        if self.missing.iter().any(|(missing, _)| *missing == name) {
            return Ok(None);
        }
        let bin = self.folder.join(name).join("bin");
        let python = bin.join("python");
        let library = match peer {
            Peer::NumPy => "numpy",
            Peer::Pallas => "pallas",
            _ => "mpi",
        };
        let mut command = match library {
            "mpi" => {
                let mut command = Command::new(bin.join("mpirun"));
                command.args(["-n", &ranks.to_string()]);
                if peer != Peer::Mpich {
                    command.args("--map-by :OVERSUBSCRIBE --bind-to none --mca osc ^ucx --mca mpi_yield_when_idle 1".split(' '));
                }
                command.arg(&python);
                command
            }
            _ => Command::new(&python),
        };
        for prefix in ["OMPI", "PRTE"] {
            command.env(format!("{prefix}_ALLOW_RUN_AS_ROOT"), "1");
            command.env(format!("{prefix}_ALLOW_RUN_AS_ROOT_CONFIRM"), "1");
        }
        command
            .envs([
                ("NPROC", "16"),
                ("JAX_PLATFORMS", "cpu"),
                ("OMP_NUM_THREADS", "1"),
            ])
            .env(
                "XLA_FLAGS",
                format!("--xla_force_host_platform_device_count={ranks}"),
            )
            .arg(&self.script)
            .arg(format!("{library}:{operation}"))
            .args([ranks.to_string(), bytes.to_string(), result.to_owned()]);
        let output = command
            .output()
            .map_err(|error| format!("{peer:?}: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find_map(|line| line.strip_prefix("TIMES "));
        let Some(line) = line.filter(|_| output.status.success()) else {
            let said = String::from_utf8_lossy(&output.stderr);
            let last: Vec<_> = said.lines().rev().take(5).collect();
            return Err(format!("{} {operation}: {}", peer.name(), last.join(" | ")));
        };
        let times = line.split(' ').filter_map(|word| word.parse().ok());
        Ok(Some(crate::median(times.collect())))
    }
}

fn make(folder: &Path, packages: &[&str]) -> Result<(), String> {
    let done = folder.join("installed");
    if done.exists() {
        return Ok(());
    }
    let run = |command: &mut Command| {
        let output = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.success() {
            true => Ok(()),
            false => Err(said.lines().last().unwrap_or("failed").to_owned()),
        }
    };
    println!(
        "installing {} into {}",
        packages.join(", "),
        folder.display()
    );
    run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    let mut pip = Command::new(folder.join("bin/pip"));
    run(pip
        .args(["install", "--quiet", "--disable-pip-version-check"])
        .args(packages))?;
    fs::write(done, "").map_err(|error| error.to_string())
}
