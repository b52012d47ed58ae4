//! Functions and kernels of any name.

use super::harness::{Array, check_against_cpu};
use crate::cpu::values::Type;

/// A program of these two functions: every rank adds its number to 8 numbers.
fn program(kernel: &str, device: &str) -> String {
    format!(
        "func.func @\"{kernel}\"(%x: memref<1x8xi32> {{pl.inout}}, %r: index) attributes {{pl.incore}} {{
           %k = arith.index_cast %r : index to i32
           %t = pl.load %x[0, 0] : memref<1x8xi32> -> !pl.tile<1x8xi32>
           %s = pl.adds %t, %k : !pl.tile<1x8xi32>, i32
           pl.store %s, %x[0, 0] : !pl.tile<1x8xi32>, memref<1x8xi32>
           return
         }}
         func.func @\"{device}\"(%x: memref<1x8xi32> {{pl.inout}}, %r: index) attributes {{pl.device}} {{
           call @\"{kernel}\"(%x, %r) : (memref<1x8xi32>, index) -> ()
           return
         }}
         func.func @main(%x: memref<?x1x8xi32> {{pl.inout}}) attributes {{pl.host}} {{
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %n = pld.world_size
           scf.for %r = %c0 to %n step %c1 {{
             %xr = pl.shard %x[%r] : memref<?x1x8xi32> -> memref<1x8xi32>
             pld.dispatch @\"{device}\"(%xr, %r) on %r : (memref<1x8xi32>, index)
           }}
           return
         }}"
    )
}

/// A function that the emulation itself needs, a macro, a generated file, a namespace, a
/// keyword, and what is no name in C++.
#[test]
fn any_name() {
    for (kernel, device) in [("write", "errno"), ("launch", "0 a/b"), ("std", "int")] {
        let mut x = vec![0u8; 2 * 8 * 4];
        x[4] = 5;
        let array = Array {
            r#type: Type::I32,
            shape: vec![2, 1, 8],
            input: Some(x.clone()),
            output: Some(x),
        };
        check_against_cpu(&program(kernel, device), 2, vec![array]);
    }
}
