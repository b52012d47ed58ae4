//! How a tile lies on-core: rows one after another, each padded to whole blocks.

use super::profile::Profile;
use melior::ir::{Value, ValueLike};
use pld_dialects::types::{Element, Level, Shaped};

/// A tile on-core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Rows.
    pub rows: i64,
    /// Columns.
    pub cols: i64,
    /// Element type.
    pub element: Element,
    /// Bytes from one row to the next.
    pub pitch: i64,
}

impl Layout {
    /// The layout of a tile value; `None` for any other value.
    pub fn of(profile: &Profile, value: Value) -> Option<Self> {
        let shaped = Shaped::of(value.r#type()).filter(|shaped| shaped.level == Level::Tile)?;
        let element = shaped.element()?;
        let &[rows, cols] = &shaped.shape[..] else {
            return None;
        };
        Some(Self {
            rows,
            cols,
            element,
            pitch: profile.round_up(cols.checked_mul(element.bytes())?),
        })
    }

    /// Bytes, padding included; saturates.
    pub fn bytes(&self) -> i64 {
        self.rows.saturating_mul(self.pitch)
    }

    /// Elements, padding included.
    pub fn elements(&self) -> i64 {
        self.bytes() / self.element.bytes()
    }

    /// Elements from one row to the next.
    pub fn pitch_elements(&self) -> i64 {
        self.pitch / self.element.bytes()
    }
}
