//! Every ACL and HCCL call may fail: the program names it, ends with code 1, does not hang and
//! keeps nothing (the emulation reports what is not given back with code 3).

use super::{
    harness::{Schedule, built},
    programs::entry,
};
use crate::cpu::values::Random;
use std::{sync::Mutex, thread};

/// More calls than the program makes.
const MOST: usize = 200;

/// Lets every call of a program fail in turn, from the `first`-th in steps; how many there
/// were.
fn check(text: &str, name: &str, first: usize, step: usize) -> usize {
    let program = built(text, name);
    let entry = entry(text, name);
    let arrays = entry.arguments(2, &mut Random::new(1));
    let calls = Mutex::new((first..MOST).step_by(step));
    let failed = Mutex::new(0);
    // The arguments are written once; most of the time a rank waits for the one that failed.
    let ready = || {
        let mut command = program.command(2, &arrays, Schedule::SOME[0]);
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
                    *failed.lock().expect("no panic") += 1;
                }
            });
        }
    });
    failed.into_inner().expect("no panic")
}

const COLLECTIVES: &str = include_str!("../../../test/programs/reduce_scatter.mlir");

/// Every ninth call.
#[test]
fn some() {
    assert!(check(COLLECTIVES, "host", 5, 9) > 5);
}

/// Each call, also of a program with signals of its own.
#[test]
#[ignore = "long"]
fn all() {
    assert!(check(COLLECTIVES, "host", 1, 1) > 60);
    let hand = include_str!("../../../test/programs/allgather_hand.mlir");
    assert!(check(hand, "main", 1, 1) > 50);
}
