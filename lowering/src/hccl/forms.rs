//! Forms of operations that the target has: what legalisation writes, and what the target
//! check refuses.
//!
//! | wanted | form |
//! | --- | --- |
//! | bf16 arithmetic, `rsqrt` of f16, reductions of 16-bit floats | in f32, rounded back once |
//! | i8 arithmetic | in i16, low bits kept |
//! | i8 and i16 division | in f32, whose truncated quotients of 16 bits are exact |
//! | i8 and i16 shifts by a tile | in i32 |
//! | what has no instruction | several that have one, see `expand.rs` |
//! | i8 to wider | through f16, which holds every i8 |
//! | i16 to wider, f16 to bf16 and back | through f32 |
//! | float to i8 | through i16 and f16: both steps saturate, only the first rounds |
//! | integer to narrower | low bits moved to the top by a wrapping multiply, then an exact way down |

use super::{
    profile::{Profile, Round},
    rows,
};
use pld_dialects::types::Element::{self, BF16, F16, F32, I1, I8, I16, I32, I64};

/// One instruction of a form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Cast to an element type.
    Cast(Element, Round),
    /// Multiply by this power of two: integers wrap, floats are exact.
    Scale(f64),
}

/// Why there is no form, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub reason: String,
    /// The nearest legal way.
    pub mend: String,
}

fn refuse<T>(reason: impl Into<String>, mend: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal {
        reason: reason.into(),
        mend: mend.into(),
    })
}

/// The instructions of `pl.cast` between two different element types.
pub fn cast(
    profile: &Profile,
    from: Element,
    to: Element,
    mode: Round,
) -> Result<Vec<Step>, Refusal> {
    use Step::{Cast, Scale};
    let steps = match (from, to) {
        // The one-instruction casts between integers saturate; ours keeps the low bits.
        (I32, I16) => vec![
            Scale(65536.0),
            Cast(F32, mode),
            Scale(1.0 / 65536.0),
            Cast(I16, Round::Trunc),
        ],
        (I32, I8) => vec![
            Scale(16777216.0),
            Cast(F32, mode),
            Scale(1.0 / 16777216.0),
            Cast(F16, mode),
            Cast(I8, Round::Trunc),
        ],
        (I16, I8) => vec![
            Scale(256.0),
            Cast(F16, mode),
            Scale(1.0 / 256.0),
            Cast(I8, Round::Trunc),
        ],
        (I64, I8 | I16 | I32) => {
            return refuse(
                format!(
                    "the cast from i64 to {to} saturates there, while an integer narrowed keeps its low bits"
                ),
                format!(
                    "load the array as {to}, or cast i64 to f32 and that to {to} where it may saturate"
                ),
            );
        }
        (I32 | I64, BF16) => {
            return refuse(
                format!("{from} to bf16 would round twice, through f32"),
                format!(
                    "write the two casts, {from} to f32 and f32 to bf16, each with its rounding"
                ),
            );
        }
        (I8, F16) => vec![Cast(F16, mode)],
        (I8, F32 | I16 | I32) => vec![Cast(F16, Round::None), Cast(to, mode)],
        (I8, BF16 | I64) => vec![
            Cast(F16, Round::None),
            Cast(F32, Round::None),
            Cast(to, mode),
        ],
        (I16, BF16 | I32 | I64) | (F16, BF16 | I64) | (BF16, F16 | I16 | I64) => {
            vec![Cast(F32, Round::None), Cast(to, mode)]
        }
        // Whatever f32 cannot hold exactly is out of the range of f16.
        (I32 | I64, F16) => vec![Cast(F32, mode), Cast(F16, mode)],
        (F32, I8) => vec![
            Cast(I16, mode),
            Cast(F16, Round::Rint),
            Cast(I8, Round::Trunc),
        ],
        (BF16, I8) => vec![
            Cast(F32, Round::None),
            Cast(I16, mode),
            Cast(F16, Round::Rint),
            Cast(I8, Round::Trunc),
        ],
        _ => vec![Cast(to, mode)],
    };
    in_profile(profile, from, steps).ok_or_else(|| Refusal {
        reason: format!("there is no cast from {from} to {to}"),
        mend: match (from, to) {
            (I1, _) => "choose between two tiles by pl.select",
            (_, I1) => "compare with a tile of zeros by pl.cmp",
            _ => "cast through f32, or f16 for i8",
        }
        .into(),
    })
}

/// Each cast with a mode that it takes; `None` if the target lacks one.
fn in_profile(profile: &Profile, mut from: Element, steps: Vec<Step>) -> Option<Vec<Step>> {
    steps
        .into_iter()
        .map(|step| match step {
            Step::Cast(to, mode) => {
                let modes = profile.cast(from, to)?;
                from = to;
                Some(Step::Cast(to, modes.pick(mode)))
            }
            scale => Some(scale),
        })
        .collect()
}

/// Operations that `expand.rs` composes of instructions, and the element types it does so in.
const COMPOSED: &[(&str, &[Element])] = &[
    ("pl.subs", &[I16, F16, I32, F32]),
    ("pl.divs", &[F16, F32]),
    ("pl.neg", &[I16, F16, I32, F32]),
    ("pl.abs", &[I16, I32]),
    ("pl.relu", &[I16, F16, I32, F32]),
    ("pl.rsqrt", &[F32]),
    ("pl.recip", &[F16, F32]),
    ("pl.xor", &[I1, I8, I16, I32, I64]),
    ("pl.not", &[I1]),
    ("pl.cmp", &[I16, F16, I32, F32]),
    ("pl.select", &Element::ALL),
];

fn composed(op: &str) -> &'static [Element] {
    let row = COMPOSED.iter().find(|row| row.0 == op);
    row.map_or(&[], |row| row.1)
}

/// Whether an operation computes: it is elementwise, or applies an elementwise one.
pub fn computes(profile: &Profile, op: &str) -> bool {
    let op = rows::elementwise(op).unwrap_or(op);
    profile.vector_op(op).is_some() || !composed(op).is_empty()
}

/// Whether an operation on elements of this type is one instruction.
pub fn is_native(profile: &Profile, op: &str, element: Element) -> bool {
    profile
        .vector_op(rows::elementwise(op).unwrap_or(op))
        .is_some_and(|row| row.elements.contains(&element))
}

/// The element type that a vector operation on `element` is computed in.
pub fn compute(profile: &Profile, op: &str, element: Element) -> Result<Element, Refusal> {
    if rows::is_reduction(op) && element.is_float() {
        return Ok(F32);
    }
    let op = rows::elementwise(op).unwrap_or(op);
    let mut native = profile
        .vector_op(op)
        .map_or(vec![], |row| row.elements.to_vec());
    native.extend(composed(op));
    if native.contains(&element) {
        return Ok(element);
    }
    match element {
        I8 | I16 if matches!(op, "pl.div" | "pl.divs") => Ok(F32),
        F16 | BF16 if native.contains(&F32) => Ok(F32),
        I8 if native.contains(&I16) => Ok(I16),
        _ => refuse(
            format!("works on {}, not on {element}", list(&native)),
            match element {
                I64 => "use i32 tiles: the vector unit moves and casts i64, but computes at most 32 bits".into(),
                _ => format!("compute in {}", list(&native)),
            },
        ),
    }
}

/// Element types as `i16, f16 and f32`.
pub fn list(elements: &[Element]) -> String {
    let names: Vec<_> = elements.iter().map(|element| element.name()).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "no element type".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::profile::A2A3, *};

    /// Every pair of element types has a form made of the target's casts, or a reason.
    #[test]
    fn casts_are_total() {
        const ALL: [Element; 7] = [F32, F16, BF16, I8, I16, I32, I64];
        let mut refused = Vec::new();
        for from in ALL {
            for to in ALL {
                if from == to {
                    continue;
                }
                match cast(&A2A3, from, to, Round::Rint) {
                    Ok(steps) => assert!(
                        matches!(steps.last(), Some(Step::Cast(last, _)) if *last == to),
                        "{from} to {to}"
                    ),
                    Err(_) => refused.push((from, to)),
                }
            }
        }
        assert_eq!(
            refused,
            [(I32, BF16), (I64, BF16), (I64, I8), (I64, I16), (I64, I32)]
        );
    }
}
