//! Tiles and windows through structured control flow, calls, and memory of host and device.

use super::harness::{assert_fine, bytes, compiled, kernel, numbers, run_main};
use pld_lowering::cpu::CompileOptions;

const IN_OUT: [(&str, &str, &str); 2] = [("x", "2x20xf32", "in"), ("y", "2x20xf32", "out")];

/// Runs a body that turns tile `%t`, with a 1 in each element, into `%r`; the result must be
/// the same in each element.
#[track_caller]
fn turns_ones_into(expected: f32, body: &str) {
    let text = kernel(
        &IN_OUT,
        &format!(
            "  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %yes = arith.constant true
  %no = arith.constant false
  %t = pl.load %x[0, 0] : memref<2x20xf32> -> !t
{body}
  pl.store %r, %y[0, 0] : !t, memref<2x20xf32>"
        ),
    );
    let text = format!("!t = !pl.tile<2x20xf32>\n{text}");
    let mut arrays = [bytes(&[1f32; 40]), bytes(&[0f32; 40])];
    assert_fine(&run_main(
        &compiled(&text, CompileOptions::default()),
        1,
        &mut arrays,
    ));
    assert_eq!(numbers::<f32>(&arrays[1]), [expected; 40], "{body}");
}

/// Carried tiles that change places: each round reads both before either is written.
#[test]
fn a_loop_swaps_its_tiles() {
    turns_ones_into(
        13.0,
        "  %r, %s = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %t, %b = %t) -> (!t, !t) {
    %sum = pl.add %a, %b : !t
    scf.yield %sum, %a : !t, !t
  }",
    );
    turns_ones_into(
        2.0,
        "  %two = pl.add %t, %t : !t
  %r, %s = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %t, %b = %two) -> (!t, !t) {
    scf.yield %b, %a : !t, !t
  }",
    );
}

/// A loop without a round gives its inputs.
#[test]
fn a_loop_without_rounds() {
    turns_ones_into(
        1.0,
        "  %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%a = %t) -> (!t) {
    %b = pl.add %a, %a : !t
    scf.yield %b : !t
  }",
    );
}

/// A tile made before a loop lives through all its rounds.
#[test]
fn a_tile_is_kept_through_nested_loops() {
    turns_ones_into(
        26.0,
        "  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %t) -> (!t) {
    %s = scf.for %j = %c0 to %c5 step %c1 iter_args(%b = %a) -> (!t) {
      %u = pl.add %b, %t : !t
      scf.yield %u : !t
    }
    scf.yield %s : !t
  }",
    );
}

/// A sum that takes the place of a carried tile is right where the tiles change places, and where
/// the carried tile is used after it.
#[test]
fn sums_in_the_place_of_carried_tiles() {
    let pairs = |body: &str| {
        format!(
            "  %r, %other = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %t, %b = %t) -> (!t, !t) {{
    %sum = pl.add %a, %b : !t
{body}
  }}"
        )
    };
    // 1 1, 1 2, 2 3, 3 5, 5 8, 8 13
    turns_ones_into(8.0, &pairs("    scf.yield %b, %sum : !t, !t"));
    turns_ones_into(6.0, &pairs("    scf.yield %sum, %t : !t, !t"));
    turns_ones_into(
        13.0,
        &pairs("    %same = pl.mul %a, %t : !t\n    scf.yield %sum, %same : !t, !t"),
    );
}

/// Branches give tiles and numbers.
#[test]
fn branches_give_tiles() {
    let branch = |condition: &str| {
        format!(
            "  %r, %k = scf.if %{condition} -> (!t, index) {{
    %a = pl.add %t, %t : !t
    scf.yield %a, %c5 : !t, index
  }} else {{
    scf.yield %t, %c0 : !t, index
  }}"
        )
    };
    turns_ones_into(2.0, &branch("yes"));
    turns_ones_into(1.0, &branch("no"));
    turns_ones_into(
        4.0,
        "  %two = pl.add %t, %t : !t
  %r = scf.index_switch %c5 -> !t
  case 0 { scf.yield %t : !t }
  case 5 {
    %a = pl.mul %two, %two : !t
    scf.yield %a : !t
  }
  default { scf.yield %two : !t }",
    );
    turns_ones_into(
        2.0,
        "  %two = pl.add %t, %t : !t
  %r = arith.select %yes, %two, %t : !t",
    );
}

/// A while loop carries tiles on both of its edges.
#[test]
fn a_while_loop_carries_tiles() {
    turns_ones_into(
        32.0,
        "  %r, %n = scf.while (%a = %t, %i = %c0) : (!t, index) -> (!t, index) {
    %go = arith.cmpi slt, %i, %c5 : index
    scf.condition(%go) %a, %i : !t, index
  } do {
  ^bb0(%b: !t, %j: index):
    %d = pl.add %b, %b : !t
    %k = arith.addi %j, %c1 : index
    scf.yield %d, %k : !t, index
  }",
    );
}

/// An in-core helper returns a scalar and has slots of its own.
#[test]
fn helpers_have_slots_of_their_own() {
    let text = kernel(
        &IN_OUT,
        "  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = pl.load %x[0, 0] : memref<2x20xf32> -> !pl.tile<2x20xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %t) -> (!pl.tile<2x20xf32>) {
    %s = func.call @helper(%x, %i) : (memref<2x20xf32>, index) -> i32
    %f = arith.sitofp %s : i32 to f32
    %b = pl.adds %a, %f : !pl.tile<2x20xf32>, f32
    scf.yield %b : !pl.tile<2x20xf32>
  }
  pl.store %r, %y[0, 0] : !pl.tile<2x20xf32>, memref<2x20xf32>",
    );
    let helper = "
func.func @helper(%x: memref<2x20xf32>, %i: index) -> i32 attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pl.load %x[0, 0] : memref<2x20xf32> -> !pl.tile<2x20xf32>
  %u = scf.for %j = %c0 to %i step %c1 iter_args(%a = %t) -> (!pl.tile<2x20xf32>) {
    %b = pl.add %a, %t : !pl.tile<2x20xf32>
    scf.yield %b : !pl.tile<2x20xf32>
  }
  %k = arith.index_cast %i : index to i32
  return %k : i32
}";
    let mut arrays = [bytes(&[1f32; 40]), bytes(&[0f32; 40])];
    let code = compiled(&(text + helper), CompileOptions::default());
    assert_fine(&run_main(&code, 1, &mut arrays));
    assert_eq!(numbers::<f32>(&arrays[1]), [4f32; 40]);
}

/// Functions named as those of a library are not taken for them.
#[test]
fn names_of_library_functions_are_free() {
    let text = kernel(
        &IN_OUT,
        "  %t = pl.load %x[0, 0] : memref<2x20xf32> -> !pl.tile<2x20xf32>
  pl.store %t, %y[0, 0] : !pl.tile<2x20xf32>, memref<2x20xf32>",
    )
    .replace("@k(", "@memcpy(")
    .replace("@d(", "@malloc(");
    let mut arrays = [bytes(&[3f32; 40]), bytes(&[0f32; 40])];
    assert_fine(&run_main(
        &compiled(&text, CompileOptions::default()),
        1,
        &mut arrays,
    ));
    assert_eq!(numbers::<f32>(&arrays[1]), [3f32; 40]);
}

/// Arrays that host and device functions allocate start as zeros and have the extents that
/// were asked for; windows and arrays flow through branches.
#[test]
fn arrays_of_host_and_device() {
    let text = "
func.func @k(%x: memref<?x20xf32>, %scratch: memref<?x20xf32> {pl.inout}, %w: !pld.dtensor<2x20xf32>,
             %y: memref<2x20xf32> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<?x20xf32> -> !pl.tile<2x20xf32>
  %z = pl.load %scratch[1, 0] : memref<?x20xf32> -> !pl.tile<2x20xf32>
  %u = pl.add %t, %z : !pl.tile<2x20xf32>
  pl.store %u, %scratch[1, 0] : !pl.tile<2x20xf32>, memref<?x20xf32>
  %v = pl.load %scratch[1, 0] : memref<?x20xf32> -> !pl.tile<2x20xf32>
  pl.store %v, %w[0, 0] : !pl.tile<2x20xf32>, !pld.dtensor<2x20xf32>
  %s = pl.load %w[0, 0] : !pld.dtensor<2x20xf32> -> !pl.tile<2x20xf32>
  pl.store %s, %y[0, 0] : !pl.tile<2x20xf32>, memref<2x20xf32>
  return
}
func.func @d(%x: memref<?x20xf32>, %a: !pld.dtensor<2x20xf32>, %b: !pld.dtensor<2x20xf32>,
             %y: memref<2x20xf32> {pl.out}, %flag: i1) attributes {pl.device} {
  %c3 = arith.constant 3 : index
  %g = memref.alloc(%c3) : memref<?x20xf32>
  %w = scf.if %flag -> !pld.dtensor<2x20xf32> {
    scf.yield %a : !pld.dtensor<2x20xf32>
  } else {
    scf.yield %b : !pld.dtensor<2x20xf32>
  }
  %v = arith.select %flag, %w, %b : !pld.dtensor<2x20xf32>
  call @k(%x, %g, %v, %y) : (memref<?x20xf32>, memref<?x20xf32>, !pld.dtensor<2x20xf32>, memref<2x20xf32>) -> ()
  return
}
func.func @main(%x: memref<?x2x20xf32>, %y: memref<?x2x20xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %n = pld.world_size
  %b0 = pld.alloc_window_buffer [2, 20] of f32
  %b1 = pld.alloc_window_buffer [2, 20] of f32
  %w0 = pld.window %b0 : !pld.dtensor<2x20xf32>
  %w1 = pld.window %b1 : !pld.dtensor<2x20xf32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x2x20xf32> -> memref<2x20xf32>
    %yr = pl.shard %y[%r] : memref<?x2x20xf32> -> memref<2x20xf32>
    %xd = memref.cast %xr : memref<2x20xf32> to memref<?x20xf32>
    pld.dispatch @d(%xd, %w0, %w1, %yr, %yes) on %r
        : (memref<?x20xf32>, !pld.dtensor<2x20xf32>, !pld.dtensor<2x20xf32>, memref<2x20xf32>, i1)
  }
  return
}";
    let x: Vec<f32> = (0..80).map(|i| i as f32).collect();
    let mut arrays = [bytes(&x), bytes(&[0f32; 80])];
    assert_fine(&run_main(
        &compiled(text, CompileOptions::default()),
        2,
        &mut arrays,
    ));
    assert_eq!(numbers::<f32>(&arrays[1]), x);
}

/// A cast that states an extent which is not there is a finding, not a wild access.
#[test]
fn a_cast_states_the_extent_that_there_is() {
    let text = "
func.func @d(%x: memref<4xf32>) attributes {pl.device} { return }
func.func @main(%x: memref<?xf32>) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %y = memref.cast %x : memref<?xf32> to memref<4xf32>
  pld.dispatch @d(%y) on %c0 : (memref<4xf32>)
  return
}";
    let code = compiled(text, CompileOptions::default());
    let run = |extent: usize| run_main(&code, extent, &mut [bytes(&[0f32; 8])]);
    assert_fine(&run(4));
    assert_eq!(run(3).findings[0].code, "pld-401");
    assert_eq!(run(5).findings[0].code, "pld-401");
}
