//! Accesses out of bounds are findings that say which dim, offset, size and extent.

use super::harness::{assert_fine, bytes, checked, indices, kernel, run_main};
use pld_runtime::{Details, Report};

/// The only finding of a run must be one of bounds.
#[track_caller]
fn bounds(report: &Report) -> (Option<i64>, i64, i64, i64) {
    assert_eq!(report.findings.len(), 1, "{report:#?}");
    let finding = &report.findings[0];
    assert_eq!(finding.code, "pld-401");
    assert!(finding.site.as_ref().is_some_and(|site| site.line > 0));
    match finding.details {
        Details::Bounds {
            dim,
            offset,
            size,
            extent,
        } => (dim, offset, size, extent),
        ref other => panic!("{other:?}"),
    }
}

/// Each kind of access, one step beyond each end, is reported with its numbers; at the end
/// it is fine.
#[test]
fn accesses_out_of_bounds() {
    let parameters = [("p", "1x4xi32", "in"), ("x", "8x20xf32", "inout")];
    let tile = "!pl.tile<2x16xf32>";
    let memory = "memref<8x20xf32>";
    let load = format!("  %t = pl.load %x[%i0, %i1] : {memory} -> {tile}");
    let store = format!(
        "  %v = arith.constant 1.0 : f32\n  %t = pl.full %v : {tile}\n\
         \x20 pl.store %t, %x[%i0, %i1] : {tile}, {memory}"
    );
    let add = store.replace(
        &format!(" : {tile}, {memory}"),
        &format!(" atomic add : {tile}, {memory}"),
    );
    let valid = format!("  %t = pl.load %x[%i0, 0] valid [%i1, %i2] : {memory} -> {tile}");
    let read = format!("  %t = pl.read %x[%i0, %i1] : {memory}");
    let write = format!("  %t = arith.constant 1.0 : f32\n  pl.write %t, %x[%i0, %i1] : {memory}");
    type Case = ([i32; 4], Option<(Option<i64>, i64, i64, i64)>);
    let tiles: &[Case] = &[
        ([6, 4, 0, 0], None),
        ([7, 4, 0, 0], Some((Some(0), 7, 2, 8))),
        ([6, 5, 0, 0], Some((Some(1), 5, 16, 20))),
        ([-1, 0, 0, 0], Some((Some(0), -1, 2, 8))),
        ([0, -3, 0, 0], Some((Some(1), -3, 16, 20))),
    ];
    let parts: &[Case] = &[
        ([8, 0, 16, 0], None),
        ([6, 2, 0, 0], None),
        ([7, 2, 16, 0], Some((Some(0), 7, 2, 8))),
        // The valid part is at most the tile.
        ([0, 3, 16, 0], Some((Some(0), 0, 3, 2))),
        ([0, 2, 17, 0], Some((Some(1), 0, 17, 16))),
        ([0, -1, 2, 0], Some((Some(0), 0, -1, 2))),
    ];
    let cells: &[Case] = &[
        ([7, 19, 0, 0], None),
        ([8, 0, 0, 0], Some((Some(0), 8, 1, 8))),
        ([0, 20, 0, 0], Some((Some(1), 20, 1, 20))),
        ([0, -1, 0, 0], Some((Some(1), -1, 1, 20))),
    ];
    let programs = [
        (load, tiles),
        (store, tiles),
        (add, tiles),
        (valid, parts),
        (read, cells),
        (write, cells),
    ];
    for (body, cases) in programs {
        let code = checked(&kernel(&parameters, &(indices(3) + &body)));
        for &(p, expected) in cases {
            let mut arrays = [bytes(&p), bytes(&[0f32; 160])];
            let report = run_main(&code, 1, &mut arrays);
            match expected {
                None => assert_fine(&report),
                Some(expected) => assert_eq!(bounds(&report), expected, "{body} {p:?}"),
            }
        }
    }
}

/// A signal cell beyond a window, a peer that is no rank, and a shard that is none.
#[test]
fn signals_peers_and_shards_out_of_bounds() {
    let text = |cell: &str, peer: &str, shard: &str| {
        format!(
            "
func.func @k(%s: !pld.dtensor<?x1xi32>) attributes {{pl.incore}} {{
  %one = arith.constant 1 : i32
  %cell = arith.constant {cell} : index
  %peer = arith.constant {peer} : index
  %n = pl.dim %s, 0 : !pld.dtensor<?x1xi32>
  pld.notify add %one, %s[%cell, 0] to %peer : !pld.dtensor<?x1xi32>
  return
}}
func.func @d(%s: !pld.dtensor<?x1xi32>) attributes {{pl.device}} {{
  call @k(%s) : (!pld.dtensor<?x1xi32>) -> ()
  return
}}
func.func @main(%x: memref<?x1xf32>) attributes {{pl.host}} {{
  %c0 = arith.constant 0 : index
  %shard = arith.constant {shard} : index
  %n = pld.world_size
  %b = pld.alloc_window_buffer [%n, 1] of i32
  %s = pld.window %b[%n] : !pld.dtensor<?x1xi32>
  %xr = pl.shard %x[%shard] : memref<?x1xf32> -> memref<1xf32>
  pld.dispatch @d(%s) on %c0 : (!pld.dtensor<?x1xi32>)
  return
}}"
        )
    };
    let run = |text: &str| run_main(&checked(text), 2, &mut [bytes(&[0f32; 2])]);
    assert_fine(&run(&text("1", "1", "1")));
    assert_eq!(bounds(&run(&text("2", "1", "1"))), (Some(0), 2, 1, 2));
    assert_eq!(bounds(&run(&text("1", "2", "1"))).1, 2);
    assert_eq!(bounds(&run(&text("1", "1", "2"))), (None, 2, 1, 2));
    assert_eq!(bounds(&run(&text("1", "1", "-1"))), (None, -1, 1, 2));
}
