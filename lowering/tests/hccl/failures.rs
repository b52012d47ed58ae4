//! Every ACL and HCCL call may fail: the program names it, ends with code 1, does not hang and
//! keeps nothing (the emulation looks at the end, and reports with code 3 what is not given back).

use super::{
    harness::{Built, Schedule, built},
    programs::{Entry, entry},
};
use crate::cpu::values::Random;
use std::{sync::Mutex, thread};

/// More calls than the program makes.
const MOST: usize = 400;

/// Lets every call of a program on `n` ranks fail in turn, from the `first`-th in steps; how
/// many there were.
fn check(
    program: &Built,
    entry: &Entry,
    n: usize,
    schedule: Schedule,
    first: usize,
    step: usize,
) -> usize {
    let arrays = entry.arguments(n, &mut Random::new(1));
    let calls = Mutex::new((first..MOST).step_by(step));
    let failed = Mutex::new(0);
    // The arguments are written once; most of the time a rank waits for the one that failed.
    let ready = || {
        let mut command = program.command(n, &arrays, schedule);
        command.output().expect("the program starts");
        move |call: usize| {
            let command = command.env("PLD_EMU_FAIL_CALL", call.to_string());
            command.output().expect("the program starts")
        }
    };
    thread::scope(|scope| {
        for mut run in [ready(), ready(), ready(), ready()] {
            let (calls, failed) = (&calls, &failed);
            scope.spawn(move || {
                loop {
                    let call = calls.lock().expect("no panic").next();
                    let Some(call) = call else { break };
                    let output = run(call);
                    let said = String::from_utf8_lossy(&output.stderr);
                    let on_demand = said.lines().find_map(|line| {
                        line.strip_prefix("pld-emu: note: ")?
                            .split_once(" fails on demand")
                    });
                    let Some((api, _)) = on_demand else {
                        // Beyond the last call.
                        assert_eq!(output.status.code(), Some(0), "call {call}: {said}");
                        break;
                    };
                    let named = format!(": {api}(");
                    let named = said.lines().any(|line| {
                        let names =
                            line.contains(&named) || line.contains(&format!(": {api} returned"));
                        line.starts_with("error: ") && names && line.contains("returned")
                    });
                    assert!(named, "call {call} of {api}: {said}");
                    assert_eq!(
                        output.status.code(),
                        Some(1),
                        "call {call} of {api}: {said}"
                    );
                    let at_end = "note: all is released at aclFinalize";
                    let released = said.contains(at_end) || api == "aclInit";
                    assert!(released, "call {call} of {api}: {said}");
                    *failed.lock().expect("no panic") += 1;
                }
            });
        }
    });
    failed.into_inner().expect("no panic")
}

const COLLECTIVES: &str = include_str!("../../../test/programs/reduce_scatter.mlir");
/// With signals of its own.
const SIGNALS: &str = include_str!("../../../test/programs/signal_exchange.mlir");

/// Every ninth call: one that peers wait for in HCCL, and one that they wait for in a kernel.
#[test]
fn some() {
    for (text, name, schedule) in [
        (COLLECTIVES, "host", Schedule::SOME[0]),
        (SIGNALS, "main", Schedule::SOME[2]),
    ] {
        let (program, entry) = (built(text, name), entry(text, name));
        assert!(check(&program, &entry, 2, schedule, 5, 9) > 5);
    }
}

/// Each call, in order and late, on two ranks and more.
#[test]
#[ignore = "long"]
fn all() {
    for (text, name, fewest) in [(COLLECTIVES, "host", 60), (SIGNALS, "main", 40)] {
        let (program, entry) = (built(text, name), entry(text, name));
        for n in [2, 4] {
            for schedule in [Schedule::SOME[0], Schedule::SOME[2]] {
                assert!(check(&program, &entry, n, schedule, 1, 1) > fewest);
            }
        }
    }
}
