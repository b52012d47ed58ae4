//! What a task waits for.

use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};

/// What a task waits or polls for. Fields are atomics because a waker may read them while the owner starts a new wait;
/// it then wakes the owner for nothing, which is harmless.
#[derive(Default)]
pub(crate) struct WaitRecord {
    pub(crate) cell: AtomicUsize,
    condition: AtomicU64,
    pub(crate) site: AtomicI64,
}

impl WaitRecord {
    pub(crate) fn set(&self, cell: usize, condition: Condition, site: i64) {
        self.cell.store(cell, Ordering::Relaxed);
        self.condition.store(
            (condition.compare as u64) << 32 | u64::from(condition.value as u32),
            Ordering::Relaxed,
        );
        self.site.store(site, Ordering::Relaxed);
    }

    pub(crate) fn condition(&self) -> Condition {
        let packed = self.condition.load(Ordering::Relaxed);
        Condition {
            compare: Compare::from_code((packed >> 32) as i64).unwrap_or(Compare::Eq),
            value: packed as i32,
        }
    }
}

/// `cell <compare> value`, signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) compare: Compare,
    pub(crate) value: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    Eq,
    Ne,
    Gt,
    Ge,
    Lt,
    Le,
}

impl Compare {
    pub(crate) fn from_code(code: i64) -> Option<Self> {
        [Self::Eq, Self::Ne, Self::Gt, Self::Ge, Self::Lt, Self::Le]
            .get(usize::try_from(code).ok()?)
            .copied()
    }

    pub(crate) fn symbol(self) -> &'static str {
        ["==", "!=", ">", ">=", "<", "<="][self as usize]
    }
}

impl Condition {
    pub(crate) fn holds(self, cell: i32) -> bool {
        match self.compare {
            Compare::Eq => cell == self.value,
            Compare::Ne => cell != self.value,
            Compare::Gt => cell > self.value,
            Compare::Ge => cell >= self.value,
            Compare::Lt => cell < self.value,
            Compare::Le => cell <= self.value,
        }
    }
}
