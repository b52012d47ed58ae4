//! Goldens: plain upstream code behind the one signature.

use super::harness::{CPUS, bytes, compiled, numbers};
use half::bf16;
use pld_lowering::cpu::{CompileOptions, Cpu};

/// Calls `@g` on argument words.
fn call(text: &str, words: &[u64]) {
    call_on(Cpu::Host, text, words);
}

fn call_on(cpu: Cpu, text: &str, words: &[u64]) {
    let options = CompileOptions {
        cpu,
        ..CompileOptions::default()
    };
    let code = compiled(text, options);
    let golden = code.function("g").expect("compiled");
    golden(std::ptr::null(), words.as_ptr());
}

fn address<T>(array: &mut [T]) -> u64 {
    array.as_mut_ptr() as u64
}

/// linalg, math and calls of functions without a kind.
#[test]
fn linalg_and_math() {
    let text = "
func.func @g(%a: memref<2x3xf32>, %b: memref<3x2xf32>, %c: memref<2x2xf32>) attributes {pl.golden} {
  linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x2xf32>) outs(%c : memref<2x2xf32>)
  call @exponentials(%c) : (memref<2x2xf32>) -> ()
  return
}
func.func private @exponentials(%c: memref<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %v = memref.load %c[%i, %i] : memref<2x2xf32>
    %e = math.exp %v : f32
    memref.store %e, %c[%i, %i] : memref<2x2xf32>
  }
  return
}";
    let (mut a, mut b, mut c) = (
        [1f32, 0.0, 0.5, 0.0, 1.0, 0.25],
        [1f32, 2.0, 3.0, 4.0, 0.0, 0.0],
        [0f32; 4],
    );
    call(text, &[address(&mut a), address(&mut b), address(&mut c)]);
    assert!((c[0] - 1f32.exp()).abs() < 1e-5 && (c[3] - 4f32.exp()).abs() < 1e-3);
    assert_eq!(c[1..3], [2.0, 3.0]);
}

/// bf16 arithmetic rounds to nearest, and needs no library; scalars and extents arrive.
#[test]
fn bf16_arithmetic_scalars_and_extents() {
    let text = "
func.func @g(%x: memref<?xbf16>, %s: bf16, %h: f16, %n: i32, %out: memref<4xi64>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size = memref.dim %x, %c0 : memref<?xbf16>
  scf.for %i = %c0 to %size step %c1 {
    %v = memref.load %x[%i] : memref<?xbf16>
    %m = arith.mulf %v, %s : bf16
    memref.store %m, %x[%i] : memref<?xbf16>
  }
  %wide = arith.extf %h : f16 to f32
  %int = arith.fptosi %wide : f32 to i64
  memref.store %int, %out[%c0] : memref<4xi64>
  %n64 = arith.extsi %n : i32 to i64
  memref.store %n64, %out[%c1] : memref<4xi64>
  %half = arith.ceildivsi %size, %c2 : index
  %half64 = arith.index_cast %half : index to i64
  memref.store %half64, %out[%c2] : memref<4xi64>
  return
}";
    let values = [1.1f32, -2.7, 3e38].map(bf16::from_f32);
    let scalar = bf16::from_f32(1.01);
    let half = u64::from(half::f16::from_f32(-7.0).to_bits());
    let n = -5i64 as u64;
    let expected = values.map(|value| bf16::from_f32(value.to_f32() * scalar.to_f32()));
    for cpu in CPUS {
        let mut x = bytes(&values);
        let mut out = [0i64; 4];
        let words = [
            address(&mut x),
            3,
            u64::from(scalar.to_bits()),
            half,
            n,
            address(&mut out),
        ];
        call_on(cpu, text, &words);
        assert_eq!(numbers::<bf16>(&x), expected);
        assert_eq!(out, [-7, -5, 2, 0]);
    }
}

/// Halves of f64, for which few CPUs have an instruction, are rounded once; a bf16 that lives
/// longer than a block, and a function of one, need no library either.
#[test]
fn halves_of_f64_and_across_blocks() {
    let text = "
func.func @g(%x: memref<2xf64>, %h: memref<2xf16>, %b: memref<2xbf16>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : bf16
  %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%old = %zero) -> (bf16) {
    %v = memref.load %x[%i] : memref<2xf64>
    %f16 = arith.truncf %v : f64 to f16
    memref.store %f16, %h[%i] : memref<2xf16>
    %bf16 = arith.truncf %v : f64 to bf16
    memref.store %old, %b[%i] : memref<2xbf16>
    scf.yield %bf16 : bf16
  }
  %root = math.sqrt %last : bf16
  memref.store %root, %b[%c0] : memref<2xbf16>
  return
}";
    // Just above the middle of two f16, by less than an f32 can tell.
    let value = 1.0 + f64::exp2(-11.0) + f64::exp2(-40.0);
    for cpu in CPUS {
        let (mut x, mut h, mut b) = ([value, 4.0], [half::f16::ZERO; 2], [bf16::ZERO; 2]);
        call_on(
            cpu,
            text,
            &[address(&mut x), address(&mut h), address(&mut b)],
        );
        assert_eq!(h.map(f64::from), [1.0 + f64::exp2(-10.0), 4.0]);
        assert_eq!(b.map(f64::from), [2.0, 1.0]);
    }
}
