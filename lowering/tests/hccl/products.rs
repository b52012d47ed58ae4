//! Matrix products on the cube core, against the CPU lowering: sums of few small numbers, which
//! no order rounds.

use super::{
    harness::{Array, built, on_cpu},
    tiles::{Shape, Tiles},
};
use crate::cpu::{
    harness::{bytes, kernel},
    values::{Random, Type},
};

const TYPES: [Type; 4] = [Type::F16, Type::BF16, Type::F32, Type::I8];

fn result_type(t: Type) -> Type {
    if t.is_float() { Type::F32 } else { Type::I32 }
}

/// Products of new inputs.
fn product(case: &mut Tiles, t: Type, [m, n, k]: [usize; 3], turned: usize, random: &mut Random) {
    let side = |exchanged: bool, a, b| {
        if exchanged {
            Shape(t, b, a)
        } else {
            Shape(t, a, b)
        }
    };
    let left = side(turned & 1 == 1, m, k);
    let right = side(turned & 2 == 2, k, n);
    let result = Shape(result_type(t), m, n);
    let (a, b) = (case.small(left, random), case.small(right, random));
    let flags = [
        "",
        "transpose_a ",
        "transpose_b ",
        "transpose_a transpose_b ",
    ][turned];
    let types = format!(
        "{flags}: {}, {} -> {}",
        left.tile(),
        right.tile(),
        result.tile()
    );
    let once = case.result(&format!("matmul {a}, {b} {types}"), result);
    // A side that is computed while the cube core is busy, and a sum that is added to.
    let computed = case.result(&format!("add {a}, {a} : {}", left.tile()), left);
    case.result(
        &format!("matmul_acc {once}, {computed}, {b} {types}"),
        result,
    );
}

/// Each element type, dims exchanged or not, at sizes with rests. The emulation's own tests have
/// all combinations.
#[test]
fn products() {
    let mut random = Random::new(41);
    let sizes = [[16, 32, 64], [30, 50, 70], [3, 17, 33], [1, 1, 1]];
    let mut case = Tiles::default();
    for (index, t) in TYPES.into_iter().enumerate() {
        for turned in [index, (index + 1) % 4] {
            product(
                &mut case,
                t,
                sizes[(index + turned) % 4],
                turned,
                &mut random,
            );
        }
    }
    case.check();
}

/// Random sizes, types and exchanges in one kernel.
#[test]
#[ignore = "long"]
fn random_products() {
    for seed in 0..20 {
        let mut random = Random::new(100 + seed);
        let mut case = Tiles::default();
        for _ in 0..3 {
            let size = [0; 3].map(|_| 1 + random.below(60) as usize);
            let t = TYPES[random.below(4) as usize];
            let turned = random.below(4) as usize;
            product(&mut case, t, size, turned, &mut random);
        }
        case.check();
    }
}

/// Builds once, and compares with the CPU lowering for each set of arrays.
#[track_caller]
fn check(text: &str, world: usize, runs: impl IntoIterator<Item = Vec<Array>>) {
    let program = built(text, "main");
    for mut arrays in runs {
        let expected = on_cpu(text, world, &arrays);
        let outputs = arrays.iter_mut().filter(|array| array.output.is_some());
        for (array, expected) in outputs.zip(expected) {
            array.output = Some(expected);
        }
        program.check(world, &arrays);
    }
}

/// A loop that carries its sum, by a count that is known at run time only: the cube core is
/// asked as often as the loop runs, which may be never.
#[test]
fn a_carried_sum() {
    let text = kernel(
        &[
            ("x", "16x96xf16", "in"),
            ("y", "96x48xf16", "in"),
            ("count", "1x1xi32", "in"),
            ("z", "16x48xf32", "out"),
        ],
        "  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %number = pl.read %count[0, 0] : memref<1x1xi32>
  %last = arith.index_cast %number : i32 to index
  %one = arith.constant 1.0 : f32
  %i = pl.full %one : !pl.tile<16x48xf32>
  %s = scf.for %k = %c0 to %last step %c32 iter_args(%c = %i) -> (!pl.tile<16x48xf32>) {
    %a = pl.load %x[0, %k] : memref<16x96xf16> -> !pl.tile<16x32xf16>
    %b = pl.load %y[%k, 0] : memref<96x48xf16> -> !pl.tile<32x48xf16>
    %sum = pl.matmul_acc %c, %a, %b : !pl.tile<16x32xf16>, !pl.tile<32x48xf16> -> !pl.tile<16x48xf32>
    scf.yield %sum : !pl.tile<16x48xf32>
  }
  pl.store %s, %z[0, 0] : !pl.tile<16x48xf32>, memref<16x48xf32>",
    );
    let mut random = Random::new(43);
    let mut small = |count: usize| {
        let number = |_| Type::F16.nearest(random.below(5) as f32 - 2.0);
        let codes: Vec<_> = (0..count).map(number).collect();
        Type::F16.encode(&codes)
    };
    let (x, y) = (small(16 * 96), small(96 * 48));
    let arrays = [0, 96].map(|count: i32| {
        vec![
            Array::input(Type::F16, &[1, 16, 96], x.clone()),
            Array::input(Type::F16, &[1, 96, 48], y.clone()),
            Array::input(Type::I32, &[1, 1, 1], bytes(&[count])),
            Array::output(Type::F32, &[1, 16, 48], vec![0; 16 * 48 * 4]),
        ]
    });
    check(&text, 1, arrays);
}

/// Blocks multiply at once, each in its own part of the workspace, and meet.
#[test]
fn blocks() {
    let text = "
func.func @part(%x: memref<48x16xf32>, %y: memref<48x16xf32> {pl.inout}, %b: index) attributes {pl.incore} {
  %c16 = arith.constant 16 : index
  %row = arith.muli %b, %c16 : index
  %a = pl.load %x[%row, 0] : memref<48x16xf32> -> !pl.tile<16x16xf32>
  %p = pl.matmul %a, %a : !pl.tile<16x16xf32>, !pl.tile<16x16xf32> -> !pl.tile<16x16xf32>
  pl.store %p, %y[%row, 0] : !pl.tile<16x16xf32>, memref<48x16xf32>
  pl.sync_blocks
  %first = pl.load %y[0, 0] : memref<48x16xf32> -> !pl.tile<16x16xf32>
  %q = pl.matmul %a, %first transpose_b : !pl.tile<16x16xf32>, !pl.tile<16x16xf32> -> !pl.tile<16x16xf32>
  pl.sync_blocks
  pl.store %q, %y[%row, 0] : !pl.tile<16x16xf32>, memref<48x16xf32>
  return
}
func.func @d(%x: memref<48x16xf32>, %y: memref<48x16xf32> {pl.inout}) attributes {pl.device} {
  %c3 = arith.constant 3 : index
  pl.spmd %c3 {
    %b = pl.block_idx
    func.call @part(%x, %y, %b) : (memref<48x16xf32>, memref<48x16xf32>, index) -> ()
  }
  return
}
func.func @main(%x: memref<?x48x16xf32>, %y: memref<?x48x16xf32> {pl.inout}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x48x16xf32> -> memref<48x16xf32>
    %yr = pl.shard %y[%r] : memref<?x48x16xf32> -> memref<48x16xf32>
    pld.dispatch @d(%xr, %yr) on %r : (memref<48x16xf32>, memref<48x16xf32>)
  }
  return
}";
    let mut random = Random::new(44);
    let number = |_| random.below(3) as f32 - 1.0;
    let numbers: Vec<_> = (0..2 * 48 * 16).map(number).collect();
    let zeros = bytes(&vec![0f32; numbers.len()]);
    let arrays = vec![
        Array::input(Type::F32, &[2, 48, 16], bytes(&numbers)),
        Array {
            r#type: Type::F32,
            shape: vec![2, 48, 16],
            input: Some(zeros.clone()),
            output: Some(zeros),
        },
    ];
    check(text, 2, [arrays]);
}
