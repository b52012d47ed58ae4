//! Ways through branches and loops that data decides: a depth-first walk over all of them.

use super::value::Origin;
use pld_protocol::{Choice, SiteId};
use std::collections::HashMap;

/// The decisions of one way, in the order in which they came up.
#[derive(Debug, Default)]
pub(super) struct Choices {
    taken: Vec<Taken>,
    /// How many came up on the way at hand.
    met: usize,
    by_origin: HashMap<Origin, usize>,
}

#[derive(Debug)]
struct Taken {
    option: usize,
    options: usize,
    what: Choice,
}

impl Choices {
    /// Starts a way from the beginning.
    pub(super) fn restart(&mut self) {
        self.met = 0;
        self.by_origin.clear();
    }

    /// Chooses one of `options`, the same for the same origin. `text` says what the choice means.
    pub(super) fn choose(
        &mut self,
        origin: Option<Origin>,
        options: usize,
        site: SiteId,
        rank: u32,
        text: impl Fn(usize) -> String,
    ) -> usize {
        if let Some(&known) = origin
            .as_ref()
            .and_then(|origin| self.by_origin.get(origin))
        {
            let taken = &self.taken[known];
            // The same value at another operation; there may be fewer options there.
            return taken.option.min(options.saturating_sub(1));
        }
        let place = self.met;
        self.met += 1;
        if let Some(origin) = origin {
            self.by_origin.insert(origin, place);
        }
        if place == self.taken.len() {
            self.taken.push(Taken {
                option: 0,
                options: options.max(1),
                what: Choice {
                    site,
                    rank: None,
                    text: String::new(),
                },
            });
        }
        let taken = &mut self.taken[place];
        let is_shared = origin.is_some_and(|origin| origin.is_shared);
        taken.what = Choice {
            site,
            rank: (!is_shared).then_some(rank),
            text: text(taken.option),
        };
        taken.option
    }

    /// The decisions of the way at hand.
    pub(super) fn of_this_way(&self) -> Vec<Choice> {
        let met = self.taken[..self.met.min(self.taken.len())].iter();
        met.map(|taken| taken.what.clone()).collect()
    }

    /// Goes on to the next way, if there is one.
    pub(super) fn advance(&mut self) -> bool {
        self.taken.truncate(self.met);
        while let Some(last) = self.taken.last_mut() {
            last.option += 1;
            if last.option < last.options {
                return true;
            }
            self.taken.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways once, also where the second decision comes up on some only.
    #[test]
    fn walks_all_ways() {
        let mut choices = Choices::default();
        let mut ways = Vec::new();
        loop {
            choices.restart();
            let choose = |choices: &mut Choices, options| {
                choices.choose(None, options, SiteId(0), 0, |option| option.to_string())
            };
            let mut way = vec![choose(&mut choices, 2)];
            if way[0] == 1 {
                way.push(choose(&mut choices, 3));
            }
            assert_eq!(choices.of_this_way().len(), way.len());
            ways.push(way);
            if !choices.advance() {
                break;
            }
        }
        assert_eq!(ways, [vec![0], vec![1, 0], vec![1, 1], vec![1, 2]]);
    }
}
