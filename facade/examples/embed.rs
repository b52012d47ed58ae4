//! What a frontend does with its program: check it, run it on simulated ranks, and get the
//! AscendC and HCCL project.
//!
//! ```text
//! cargo run --release -p pld-embed --example embed examples/05_remote_load_store.mlir
//! ```

use pld::{Array, Barrier, Element, Error, Input, Program, Simulation, Source, Verdict};
use std::path::Path;

fn main() -> Result<(), Error> {
    let path = std::env::args()
        .nth(1)
        .unwrap_or("examples/05_remote_load_store.mlir".into());
    // A frontend has its text, or bytecode, in memory: `Source::new("name", text)`.
    let source = Source::read(Path::new(&path))?;
    let program = Program::parse(&source)?;
    for warning in program.check()? {
        eprint!("{}", source.render(&warning));
    }

    // Three ranks, an input of our own, four schedules.
    let x = Array::zeros(Element::F32, &[3, 1, 64]).expect("a small array");
    let outcome = Simulation::new(&program, 3)
        .input(0, Input::Array(x))
        .schedules(4)
        .run()?;
    assert_eq!(outcome.verdict(), Verdict::Agrees);

    let entry = program.entry(None)?;
    let (files, _) = program.project(&entry, Barrier::default(), "a2a3")?;
    for file in files {
        println!("{:6} bytes  {}", file.text.len(), file.path);
    }
    Ok(())
}
