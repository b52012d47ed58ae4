//! Generates, builds and runs projects with the system's C++ compiler and the emulation.

use crate::cpu::{
    harness::{assert_fine, compiled, run_main},
    values::Type,
};
use pld_dialects::melior::ir::Module;
use pld_lowering::{
    Cache,
    cpu::CompileOptions,
    hccl::{BuildError, Choices, ProjectFile, build, project},
};
use std::{fs, path::PathBuf, process::Command, sync::Once};
use tempfile::TempDir;

/// The project of an entry of a program.
pub fn generated(text: &str, entry: &str, choices: impl Into<Choices>) -> Vec<ProjectFile> {
    register();
    let context = pld_dialects::context();
    let module = Module::parse(&context, text).unwrap_or_else(|| panic!("does not parse:\n{text}"));
    project(module.as_operation(), entry, choices).unwrap_or_else(|_| panic!("no project:\n{text}"))
}

/// The acceptance programs, by name.
pub fn program_files() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/programs");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the programs")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "mlir")
        })
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        (name, fs::read_to_string(&path).expect("a program"))
    };
    paths.into_iter().map(read).collect()
}

/// Registers what generation needs, once.
pub fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        pld_passes::register();
        pld_lowering::register();
    });
}

/// A project that has been built.
pub struct Built {
    program: PathBuf,
    /// Holds the arguments of a run.
    folder: TempDir,
    /// The text of all kernels, for messages.
    pub kernels: String,
}

/// Builds the project of an entry.
pub fn built(text: &str, entry: &str) -> Built {
    built_by(text, entry, Choices::default())
}

/// Builds the project of an entry by these choices.
pub fn built_by(text: &str, entry: &str, choices: Choices) -> Built {
    built_from(&generated(text, entry, choices))
}

/// Builds a project.
pub fn built_from(files: &[ProjectFile]) -> Built {
    // The generated code is free of warnings.
    let warnings = ["-Wall", "-Wextra", "-Werror"];
    let program = Cache::open()
        .map_err(BuildError::File)
        .and_then(|cache| build(&cache, files, &warnings))
        .unwrap_or_else(|error| panic!("{error}"));
    let is_kernel =
        |file: &&ProjectFile| file.path.starts_with("kernels/") && !file.path.contains("launch");
    let kernels = files
        .iter()
        .filter(is_kernel)
        .map(|file| file.text.as_str())
        .collect();
    Built {
        program,
        folder: TempDir::new().expect("a folder"),
        kernels,
    }
}

/// An array argument: the whole file, its slices included.
#[derive(Clone, Debug)]
pub struct Array {
    /// Element type.
    pub r#type: Type,
    /// Shape of the file.
    pub shape: Vec<usize>,
    /// Content before, if it is read.
    pub input: Option<Vec<u8>>,
    /// Content after, if it is written.
    pub output: Option<Vec<u8>>,
}

impl Array {
    /// One that is read only.
    pub fn input(r#type: Type, shape: &[usize], bytes: Vec<u8>) -> Self {
        Self {
            r#type,
            shape: shape.to_vec(),
            input: Some(bytes),
            output: None,
        }
    }

    /// One that is written only.
    pub fn output(r#type: Type, shape: &[usize], bytes: Vec<u8>) -> Self {
        Self {
            r#type,
            shape: shape.to_vec(),
            input: None,
            output: Some(bytes),
        }
    }
}

/// How the emulation runs.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Operations are late.
    pub weak: bool,
    /// Which order.
    pub seed: u32,
}

impl Schedule {
    /// In order, and late by several seeds, one of which moves nothing unless forced.
    pub const SOME: [Self; 4] = [
        Self {
            weak: false,
            seed: 1,
        },
        Self {
            weak: true,
            seed: 0,
        },
        Self {
            weak: true,
            seed: 1,
        },
        Self {
            weak: true,
            seed: 3,
        },
    ];
}

impl Built {
    /// The same program, with a folder of its own for arguments, so that it can run beside this.
    pub fn beside(&self) -> Self {
        Self {
            program: self.program.clone(),
            folder: TempDir::new().expect("a folder"),
            kernels: self.kernels.clone(),
        }
    }

    /// Path of a file beside the arguments.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs on `n` ranks; the bytes of all outputs, in order.
    #[track_caller]
    pub fn run(&self, n: usize, arrays: &[Array], schedule: Schedule) -> Vec<Vec<u8>> {
        let output = self.command(n, arrays, schedule).output();
        let output = output.expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "n={n} {schedule:?}: {said}\n{}",
            self.kernels
        );
        self.outputs(arrays)
    }

    /// What the last run has written.
    pub fn outputs(&self, arrays: &[Array]) -> Vec<Vec<u8>> {
        let outputs = arrays.iter().enumerate();
        outputs
            .filter_map(|(index, array)| {
                let file = self.folder.path().join(format!("out{index}.npy"));
                let size = array.output.as_ref()?.len();
                let content = fs::read(file).expect("an output");
                Some(content[content.len() - size..].to_vec())
            })
            .collect()
    }

    /// Runs on `n` ranks and compares the outputs, under all schedules.
    #[track_caller]
    pub fn check(&self, n: usize, arrays: &[Array]) {
        for schedule in Schedule::SOME {
            let outputs = self.run(n, arrays, schedule);
            let expected = arrays.iter().enumerate();
            let expected =
                expected.filter_map(|(index, array)| Some((index, array, array.output.as_ref()?)));
            for (found, (index, array, wanted)) in outputs.iter().zip(expected) {
                let (found, wanted) = (array.r#type.decode(found), array.r#type.decode(wanted));
                let differ = (0..wanted.len()).find(|&k| !array.r#type.same(found[k], wanted[k]));
                if let Some(k) = differ {
                    panic!(
                        "argument {index}, element {k} is {:#x}, expected {:#x} (n={n}, {schedule:?})\n{}",
                        found[k], wanted[k], self.kernels
                    );
                }
            }
        }
    }

    /// A run on `n` ranks, its arguments in files.
    pub fn command(&self, n: usize, arrays: &[Array], schedule: Schedule) -> Command {
        let mut command = Command::new(&self.program);
        command
            .current_dir(self.folder.path())
            .arg("-n")
            .arg(n.to_string());
        for (index, array) in arrays.iter().enumerate() {
            if let Some(bytes) = &array.input {
                let file = format!("in{index}.npy");
                fs::write(self.folder.path().join(&file), npy(array, bytes)).expect("a file");
                command.arg("--arg").arg(format!("{index}={file}"));
            }
            if array.output.is_some() {
                command.arg("--out").arg(format!("{index}=out{index}.npy"));
            }
        }
        command.env("PLD_EMU_SEED", schedule.seed.to_string());
        command.env("PLD_EMU_WEAK", if schedule.weak { "1" } else { "0" });
        command
    }
}

/// NumPy's format, version 1.0.
fn npy(array: &Array, bytes: &[u8]) -> Vec<u8> {
    let r#type = match array.r#type {
        Type::F32 => "<f4",
        Type::F16 => "<f2",
        Type::BF16 => "<u2",
        Type::I8 => "|i1",
        Type::I16 => "<i2",
        Type::I32 => "<i4",
        Type::I64 => "<i8",
        Type::I1 => "|b1",
    };
    let shape: String = array
        .shape
        .iter()
        .map(|extent| format!("{extent},"))
        .collect();
    let mut header = format!("{{'descr': '{type}', 'fortran_order': False, 'shape': ({shape}), }}");
    while !(header.len() + 11).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(bytes);
    file
}

/// The outputs of `@main` as the CPU lowering computes them.
#[track_caller]
pub fn on_cpu(text: &str, world: usize, arrays: &[Array]) -> Vec<Vec<u8>> {
    let start = |array: &Array| {
        array
            .input
            .clone()
            .or(array.output.clone())
            .expect("a content")
    };
    let mut bytes: Vec<_> = arrays.iter().map(start).collect();
    assert_fine(&run_main(
        &compiled(text, CompileOptions::default()),
        world,
        &mut bytes,
    ));
    let outputs = arrays.iter().zip(bytes);
    outputs
        .filter_map(|(array, bytes)| array.output.is_some().then_some(bytes))
        .collect()
}

/// Builds `@main` and compares its outputs with those of the CPU lowering.
#[track_caller]
pub fn check_against_cpu(text: &str, world: usize, mut arrays: Vec<Array>) {
    let expected = on_cpu(text, world, &arrays);
    let outputs = arrays.iter_mut().filter(|array| array.output.is_some());
    for (array, expected) in outputs.zip(expected) {
        array.output = Some(expected);
    }
    built(text, "main").check(world, &arrays);
}
