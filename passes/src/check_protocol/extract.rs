//! All skeletons of a program: for each number of ranks, and each way through what data decides.

use super::{
    Known,
    cells::Cells,
    choices::Choices,
    code::{Code, Function},
    machine::{GivenUp, Machine},
};
use pld_protocol::Skeleton;

/// More ways through the program than these are not followed.
const MOST_WAYS: usize = 64;

/// More ranks than these are not executed.
const MOST_RANKS: u32 = 4096;

/// What comes of one number of ranks.
pub(super) struct Extracted {
    pub world: u32,
    pub skeletons: Vec<Skeleton>,
    /// Why there are no more.
    pub given_up: Vec<GivenUp>,
    /// Whether loops may run more often than they are looked at.
    pub is_cut: bool,
}

/// Executes a host function on `world` ranks.
pub(super) fn extract(
    code: &Code,
    host: usize,
    world: u32,
    known: &Known,
    steps: u64,
) -> Extracted {
    if world > MOST_RANKS {
        let why = GivenUp {
            site: code.functions[host].site,
            text: format!("more than {MOST_RANKS} ranks are not looked at"),
        };
        return Extracted {
            world,
            skeletons: Vec::new(),
            given_up: vec![why],
            is_cut: false,
        };
    }
    let way = |cells| all_ways(code, host, world, known, steps, cells);
    let (extracted, cells) = way(None);
    // Cells that were read have now been seen to be notified.
    if !cells.is_read || cells.is_cut || !extracted.given_up.is_empty() {
        return extracted;
    }
    way(Some(&cells)).0
}

fn all_ways(
    code: &Code,
    host: usize,
    world: u32,
    known: &Known,
    steps: u64,
    known_cells: Option<&Cells>,
) -> (Extracted, Cells) {
    let mut extracted = Extracted {
        world,
        skeletons: Vec::new(),
        given_up: Vec::new(),
        is_cut: false,
    };
    let mut cells = Cells::default();
    let mut choices = Choices::default();
    loop {
        let mut machine = Machine::new(code, world, steps, &mut choices, known_cells);
        let done = machine.run(host, known);
        cells.join(std::mem::take(&mut machine.cells));
        match done {
            Ok(()) => extracted.skeletons.push(machine.skeleton),
            Err(why) => {
                extracted.given_up.push(why);
                break;
            }
        }
        if !choices.advance() {
            break;
        }
        if extracted.skeletons.len() == MOST_WAYS {
            extracted.given_up.push(GivenUp {
                site: code.functions[host].site,
                text: format!(
                    "data decides about more than {MOST_WAYS} ways through the program; {MOST_WAYS} are looked at"
                ),
            });
            break;
        }
    }
    extracted.is_cut = cells.is_cut;
    (extracted, cells)
}

/// The numbers of ranks to check: those of 1 to `most` that the program admits, or the least
/// that it does.
pub(super) fn worlds(host: &Function, most: u32) -> Vec<u32> {
    let least = host
        .greatest_member
        .map_or(1, |member| member.saturating_add(1));
    let mut admitted: Vec<i64> = match (&host.world_sizes, leading(host)) {
        (Some(stated), _) => stated.clone(),
        (None, Some(leading)) => vec![leading],
        (None, None) => (least..=least.saturating_add(most.into())).collect(),
    };
    admitted.retain(|&world| world >= least.max(1) && leading(host).is_none_or(|n| n == world));
    admitted.sort_unstable();
    admitted.dedup();
    let small = admitted.iter().filter(|&&world| world <= most.into());
    let number = small.count().max(1);
    let fitting = admitted.into_iter().take(number);
    fitting
        .filter_map(|world| u32::try_from(world).ok())
        .collect()
}

/// The world size that the type of a world array states.
fn leading(host: &Function) -> Option<i64> {
    let sharded = host
        .parameters
        .iter()
        .filter(|parameter| parameter.is_sharded);
    let mut leading = sharded.filter_map(|it| *it.array.as_ref()?.shape.first()?);
    leading.next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pld_protocol::SiteId;

    fn host(stated: Option<&[i64]>, greatest_member: Option<i64>) -> Function {
        Function {
            name: "main".into(),
            kind: None,
            is_defined: true,
            site: SiteId(0),
            parameters: vec![],
            slots: 0,
            body: None,
            world_sizes: stated.map(<[i64]>::to_vec),
            greatest_member,
        }
    }

    /// Sizes up to the bound, or the least that there is; never one without a member of a group.
    #[test]
    fn admitted_sizes() {
        assert_eq!(worlds(&host(None, None), 4), [1, 2, 3, 4]);
        assert_eq!(worlds(&host(None, Some(2)), 4), [3, 4]);
        assert_eq!(worlds(&host(None, Some(6)), 4), [7]);
        assert_eq!(worlds(&host(Some(&[4, 2, 8]), None), 4), [2, 4]);
        assert_eq!(worlds(&host(Some(&[8, 16]), None), 4), [8]);
        assert_eq!(worlds(&host(Some(&[2, 4]), Some(2)), 4), [4]);
        assert_eq!(worlds(&host(Some(&[-1]), None), 4), [0u32; 0]);
    }
}
