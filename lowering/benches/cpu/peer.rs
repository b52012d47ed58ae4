//! NumPy in a process of its own.

use std::{
    fs,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// What is installed.
const NUMPY: &str = "numpy==2.4.6";

/// The running process.
pub struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
    arrays: Vec<(&'static str, Vec<f32>)>,
    pub version: String,
}

impl Peer {
    /// Installs NumPy into a virtual environment below the target folder, once, and starts it
    /// on these arrays.
    pub fn start(arrays: Vec<(&'static str, Vec<f32>)>) -> io::Result<Self> {
        // .../target/release/deps/cpu-0123
        let executable = std::env::current_exe()?;
        let target = executable.ancestors().nth(3).unwrap_or(Path::new("target"));
        let folder = target.join("bench-cpu");
        fs::create_dir_all(&folder)?;
        let python = environment(&target.join("bench-venv"))?;
        for (name, array) in &arrays {
            let bytes: Vec<u8> = array
                .iter()
                .flat_map(|number| number.to_le_bytes())
                .collect();
            fs::write(folder.join(format!("{name}.f32")), bytes)?;
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/cpu/numpy_peer.py");
        let mut child = Command::new(python)
            .arg(script)
            .arg(&folder)
            .envs(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"].map(|name| (name, "1")))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
            folder,
            arrays,
            version: NUMPY.replace("==", " "),
        })
    }

    pub fn array(&self, name: &str) -> &[f32] {
        let array = self.arrays.iter().find(|array| array.0 == name);
        &array.expect("an array of this name").1
    }

    /// Milliseconds of one run.
    pub fn time(&mut self, name: &str) -> f64 {
        let seconds: f64 = self.ask(name).parse().expect("seconds");
        seconds * 1e3
    }

    /// What a computation comes to.
    pub fn result(&mut self, name: &str, size: usize) -> Vec<f32> {
        self.ask(&format!("save {name}"));
        let bytes = fs::read(self.folder.join("numpy.f32")).expect("the result is saved");
        let numbers = bytes.as_chunks::<4>().0.iter();
        let numbers: Vec<_> = numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect();
        assert_eq!(numbers.len(), size, "{name}");
        numbers
    }

    fn ask(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").expect("NumPy listens");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("NumPy answers");
        assert!(!answer.is_empty(), "NumPy failed at {line}");
        answer.trim().to_owned()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The Python of the virtual environment, which is made if need be.
fn environment(folder: &Path) -> io::Result<PathBuf> {
    let python = folder.join("bin/python");
    if !python.exists() {
        done(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    }
    let known = Command::new(&python)
        .args(["-c", "import numpy; print('numpy==' + numpy.__version__)"])
        .output()?;
    if String::from_utf8_lossy(&known.stdout).trim() != NUMPY {
        done(Command::new(&python).args(["-m", "pip", "install", "--quiet", NUMPY]))?;
    }
    Ok(python)
}

fn done(command: &mut Command) -> io::Result<()> {
    match command.status()?.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("{command:?} failed"))),
    }
}
