//! What a task waits for.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicPtr, AtomicU64, Ordering};

/// What a task waits or polls for. Fields are atomics because a waker may read them while the owner starts a new wait;
/// it then wakes the owner for nothing, which is harmless.
pub(crate) struct WaitRecord {
    cell: AtomicPtr<AtomicI32>,
    condition: AtomicU64,
    pub(crate) site: AtomicI64,
}

impl WaitRecord {
    pub(crate) fn new() -> Self {
        Self {
            cell: AtomicPtr::new(null_mut()),
            condition: AtomicU64::new(0),
            site: AtomicI64::new(0),
        }
    }

    /// # Safety
    /// The cell must live as long as the record is used.
    pub(crate) unsafe fn set(&self, cell: &AtomicI32, condition: Condition, site: i64) {
        self.cell
            .store(std::ptr::from_ref(cell).cast_mut(), Ordering::Relaxed);
        self.condition.store(
            (condition.compare as u64) << 32 | u64::from(condition.value as u32),
            Ordering::Relaxed,
        );
        self.site.store(site, Ordering::Relaxed);
    }

    /// Whether the record is about this cell.
    pub(crate) fn is_on(&self, cell: &AtomicI32) -> bool {
        std::ptr::eq(self.cell.load(Ordering::Relaxed), cell)
    }

    /// The cell waited on; `None` before the first wait.
    pub(crate) fn cell(&self) -> Option<&AtomicI32> {
        // SAFETY: null, or the address of a cell that `set`'s caller keeps alive.
        unsafe { self.cell.load(Ordering::Relaxed).as_ref() }
    }

    /// Whether what is waited for is true.
    pub(crate) fn holds(&self) -> bool {
        self.cell()
            .is_some_and(|cell| self.condition().holds(cell.load(Ordering::SeqCst)))
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
