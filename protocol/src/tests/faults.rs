//! The agreement tests bite: with a fault planted in the check, each of them sees it.

use super::agree::difference;
use super::random::Style;
use std::cell::Cell;

/// A fault that the check can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A process that is held back still does one release more.
    HeldOneReleaseLate,
    /// What an owner takes from its cell does not raise what it waits for later.
    TakenIsForgotten,
    /// A wait for an exact value is taken to come in time without proof.
    ExactIsNeverMissed,
    /// A flag is taken to be reset before it is set again without proof.
    ResetIsAlwaysFirst,
    /// Accesses that are ordered one way only count as not ordered.
    OneDirection,
    /// Signals that do not commute are explored in one order only.
    EverythingCommutes,
}

thread_local! {
    static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
}

pub(crate) fn is_planted(fault: Fault) -> bool {
    PLANTED.get() == Some(fault)
}

fn is_seen(fault: Fault, style: Style) {
    PLANTED.set(Some(fault));
    let difference = difference(style, 1500);
    PLANTED.set(None);
    assert!(difference.is_some(), "{fault:?} goes unnoticed");
}

#[test]
fn a_wrong_order_is_seen() {
    is_seen(Fault::HeldOneReleaseLate, Style::Monotone);
    is_seen(Fault::OneDirection, Style::Monotone);
}

#[test]
fn wrong_idioms_are_seen() {
    is_seen(Fault::TakenIsForgotten, Style::Idioms);
    is_seen(Fault::ExactIsNeverMissed, Style::Idioms);
    is_seen(Fault::ResetIsAlwaysFirst, Style::Flag);
}

#[test]
fn a_shallow_exploration_is_seen() {
    is_seen(Fault::EverythingCommutes, Style::General);
}
