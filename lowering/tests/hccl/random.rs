//! Random programs of loads, stores, arithmetic, loops and branches, against the interpreter
//! that the CPU lowering is tested with: memory and synchronisation in combinations that
//! nobody thought of.

use super::harness::{Array, built};
use crate::cpu::{
    harness::bytes,
    random::{case, indices},
    values::Type,
};

#[test]
fn random_programs_equal_the_interpreter() {
    let count = if std::env::var_os("PLD_LONG").is_some() {
        40
    } else {
        3
    };
    for seed in 0..count {
        let case = case(seed, seed % 2 == 1);
        let mut arrays = vec![Array::input(Type::I32, &[1, 1, 36], bytes(&indices()))];
        arrays.extend(case.expected.iter().map(|expected| Array {
            r#type: Type::F32,
            shape: vec![1, 9, 41],
            input: Some(bytes(&case.start)),
            output: Some(bytes(expected)),
        }));
        built(&case.text, "main").check(1, &arrays);
    }
}
