//! A process that is fed broken modules lives on, and does not grow.

use pld::{Error, Input, Program, Simulation, Source, build::Module};

const RUNS: &str = include_str!("../../../../examples/05_remote_load_store.mlir");

/// One of several kinds of mistake; the numbers make each module another one.
fn refused(k: usize) -> Result<(), Error> {
    let parse = |text: String| Program::parse(&Source::new("broken.mlir", text));
    match k % 6 {
        0 => parse(format!("func.func @f{k}(")).map(drop),
        1 => parse(format!("func.func @f{k}() {{ pld.teleport }}")).map(drop),
        2 => {
            let array = format!("memref<{}x8xf32>", k + 1);
            parse(format!(
                "func.func @f(%x: {array}) attributes {{pl.incore}} {{
                   %t = pl.load %x[0, 4] : {array} -> !pl.tile<1x8xf32>
                   return }}"
            ))
            .map(drop)
        }
        3 => Program::build(|m: &Module| {
            m.incore(&format!("f{k}"), [], |f, []| {
                f.call("nobody", &[]);
            });
        })
        .map(drop),
        4 => parse(format!("{RUNS}// {k}"))?
            .lowered("no-such-pass")
            .map(drop),
        _ => {
            let program = parse(format!("{RUNS}// {k}"))?;
            let run = Simulation::new(&program, 2).input(0, Input::Int(k as i64));
            run.run().map(drop)
        }
    }
}

/// Resident memory in KiB; 0 where the system does not tell.
fn resident() -> i64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.map_or(0, |pages: i64| pages * 4)
}

/// Feeds `count` modules; by how many KiB memory grew after a fifth of them, when what the
/// allocator and LLVM keep is there.
fn feed(count: usize) -> i64 {
    let mut before = 0;
    for k in 0..count {
        let Err(Error::Invalid(said)) = refused(k) else {
            panic!("module {k} is broken, and refused");
        };
        assert!(!said.is_empty());
        if k == count / 5 {
            before = resident();
        }
    }
    resident() - before
}

/// Each kind is refused as it should be.
#[test]
fn broken_modules() {
    feed(60);
}

/// The long form: memory does not grow with the count. In a process of its own, since that of
/// the other tests grows by what they do.
#[test]
#[ignore = "half a minute under load"]
fn ten_thousand_broken_modules() {
    const ALONE: &str = "PLD_BROKEN_MODULES_ALONE";
    if std::env::var_os(ALONE).is_some() {
        let grown = feed(10_000);
        assert!(grown < 8 * 1024, "{grown} KiB more");
        return;
    }
    let this = std::env::current_exe().expect("a test knows its file");
    let status = std::process::Command::new(this)
        .args([
            "--exact",
            "broken::ten_thousand_broken_modules",
            "--ignored",
        ])
        .env(ALONE, "1")
        .status();
    assert!(status.expect("it starts").success());
}
