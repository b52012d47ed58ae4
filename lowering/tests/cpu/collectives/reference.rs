//! What a collective gives, computed rank by rank on plain arrays of codes.

use super::program::{Case, Kind, REDUCTIONS};
use crate::cpu::values::Type;

/// The arrays of all ranks, one after the other.
pub struct Arrays {
    pub x: Vec<u64>,
    /// What is there before, and is fetched after.
    pub y: Vec<u64>,
    /// Counts to send, as i32.
    pub counts: Vec<i32>,
}

/// What `%y` and `%z` hold after.
pub fn expected(case: &Case, input: &Arrays) -> (Vec<u64>, Vec<i32>) {
    let n = case.world;
    let (size, width): (usize, usize) = (case.x.iter().product(), case.y.iter().product());
    let x = |rank: usize, k: usize| input.x[rank * size + k];
    let row = *case.x.last().unwrap_or(&1);
    let mut y = input.y.clone();
    let mut z = vec![0; n * n];
    let capacity = case.x[0] / n;
    for rank in 0..n {
        let own = &mut y[rank * width..][..width];
        match case.kind {
            Kind::Allreduce => {
                for (k, slot) in own.iter_mut().enumerate() {
                    *slot = reduce(case, (0..n).map(|peer| x(peer, k)));
                }
            }
            Kind::ReduceScatter => {
                for (k, slot) in own.iter_mut().enumerate() {
                    *slot = reduce(case, (0..n).map(|peer| x(peer, rank * row + k)));
                }
            }
            Kind::Broadcast => own.copy_from_slice(&input.x[case.root * size..][..size]),
            Kind::Allgather => own.copy_from_slice(&input.x),
            Kind::AllToAll => {
                for (k, slot) in own.iter_mut().enumerate() {
                    *slot = x(k / row, rank * row + k % row);
                }
            }
            Kind::AllToAllV => {
                for source in 0..n {
                    let count = input.counts[source * n + rank].clamp(0, capacity as i32);
                    z[rank * n + source] = count;
                    for k in 0..count as usize * row {
                        own[source * capacity * row + k] = x(source, rank * capacity * row + k);
                    }
                }
            }
        }
    }
    (y, z)
}

/// Combines from rank 0 on; f16 and bf16 in f32, rounded at the end.
fn reduce(case: &Case, mut values: impl Iterator<Item = u64>) -> u64 {
    let element = case.element;
    let first = values.next().expect("there is a rank");
    if element.is_float() {
        let wide = |code| element.float(code) as f32;
        let combined = values.fold(wide(first), |sum, code| match REDUCTIONS[case.reduction] {
            "sum" => sum + wide(code),
            "max" => sum.max(wide(code)),
            "min" => sum.min(wide(code)),
            _ => sum * wide(code),
        });
        return element.nearest(combined);
    }
    values.fold(first, |sum, code| {
        let (a, b) = (element.int(sum), element.int(code));
        element.wrap(match REDUCTIONS[case.reduction] {
            "sum" => a.wrapping_add(b),
            "max" => a.max(b),
            "min" => a.min(b),
            _ => a.wrapping_mul(b),
        })
    })
}

/// Whether the lowering, too, combines from rank 0 on, so that any values give the same bits.
pub fn from_rank_zero(case: &Case) -> bool {
    case.kind != Kind::Allreduce || case.algorithm == "mesh"
}

/// A value whose sums and products over eight ranks are exact in any float type.
pub fn round(element: Type, random: u64) -> u64 {
    element.nearest([1.0, -1.0, 2.0, -2.0, 1.0, -1.0, 0.5, 1.0][random as usize % 8])
}
