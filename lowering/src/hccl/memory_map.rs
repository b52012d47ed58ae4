//! Pictures of a plan of on-core memory: what lies where, and when.

use std::fmt::Write;

/// A tile in the plan. Statements are numbered in program order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// Its first byte.
    pub offset: i64,
    /// Its bytes.
    pub bytes: i64,
    /// The statement that touches it first.
    pub first: usize,
    /// The statement that touches it last, or ends the loop that needs it.
    pub last: usize,
}

/// The plan of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryMap {
    /// Name of the in-core function.
    pub function: String,
    /// Tiles, and last the slots.
    pub entries: Vec<Entry>,
    /// Bytes in use, the slots included.
    pub peak: i64,
    /// Bytes that live at the same time at most.
    pub bound: i64,
    /// Bytes that there are.
    pub budget: i64,
    /// Number of the last statement.
    pub end: usize,
}

/// Columns of the text.
const COLUMNS: usize = 60;

impl MemoryMap {
    /// A line for each tile, by offset; a column stands for one statement or several.
    pub fn text(&self) -> String {
        let columns = COLUMNS.min(self.end + 1);
        let column = |statement: usize| statement * columns / (self.end + 1);
        let mut text = format!("{}\n  offset   bytes\n", self.title());
        for entry in self.by_offset() {
            let alive = column(entry.first)..=column(entry.last);
            let line = (0..columns).map(|at| if alive.contains(&at) { '#' } else { '.' });
            let line: String = line.collect();
            let (offset, bytes) = (entry.offset, entry.bytes);
            // Writing to a string does not fail.
            let _ = writeln!(text, "{offset:8} {bytes:7} |{line}| {}", entry.name);
        }
        text
    }

    /// An SVG image: statements to the right, bytes downwards, and the budget as a line.
    pub fn svg(&self) -> String {
        const STATEMENT: usize = 12;
        const HEIGHT: f64 = 480.0;
        const LEFT: usize = 80;
        const TOP: f64 = 30.0;
        let scale = HEIGHT / self.budget.max(self.peak).max(1) as f64;
        let y = |byte: i64| TOP + byte as f64 * scale;
        let width = LEFT + (self.end + 2) * STATEMENT;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{:.0}\" \
             font-family=\"monospace\" font-size=\"10\">\n<text x=\"4\" y=\"16\">{}</text>\n",
            HEIGHT + TOP + 20.0,
            escaped(&self.title())
        );
        for (index, entry) in self.by_offset().into_iter().enumerate() {
            let (x, top) = (LEFT + entry.first * STATEMENT, y(entry.offset));
            let right = LEFT + (entry.last + 1) * STATEMENT;
            let hue = index * 67 % 360;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{top:.1}\" width=\"{}\" height=\"{:.1}\" \
                 fill=\"hsl({hue},60%,75%)\" stroke=\"black\" stroke-width=\"0.3\">\
                 <title>{}: {} bytes at {}</title></rect>",
                right - x,
                entry.bytes as f64 * scale,
                escaped(&entry.name),
                entry.bytes,
                entry.offset
            );
        }
        for (what, byte) in [("peak", self.peak), ("budget", self.budget)] {
            let at = y(byte);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{width}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"red\"/>\
                 <text x=\"4\" y=\"{at:.1}\">{what} {byte}</text>"
            );
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn title(&self) -> String {
        format!(
            "@{}: peak {}, lower bound {}, budget {} bytes, {} statements",
            self.function,
            self.peak,
            self.bound,
            self.budget,
            self.end + 1
        )
    }

    fn by_offset(&self) -> Vec<&Entry> {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by_key(|entry| (entry.offset, entry.first));
        entries
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> MemoryMap {
        let entry = |name: &str, offset, first, last| Entry {
            name: name.into(),
            offset,
            bytes: 64,
            first,
            last,
        };
        MemoryMap {
            function: "f".into(),
            entries: vec![
                entry("c", 0, 2, 3),
                entry("b", 64, 1, 2),
                entry("a<1>", 0, 0, 1),
            ],
            peak: 128,
            bound: 128,
            budget: 1024,
            end: 3,
        }
    }

    /// Tiles that share bytes stand below each other, each with the time of its own.
    #[test]
    fn text() {
        let expected = "\
@f: peak 128, lower bound 128, budget 1024 bytes, 4 statements
  offset   bytes
       0      64 |##..| a<1>
       0      64 |..##| c
      64      64 |.##.| b
";
        assert_eq!(map().text(), expected);
    }

    /// A rectangle for each tile, with its name as text that XML takes, and both lines.
    #[test]
    fn svg() {
        let svg = map().svg();
        assert_eq!(svg.matches("<rect").count(), 3);
        assert!(svg.contains("a&lt;1>: 64 bytes at 0"), "{svg}");
        assert!(
            svg.contains("peak 128") && svg.contains("budget 1024"),
            "{svg}"
        );
        assert!(svg.ends_with("</svg>\n"));
    }

    /// Many statements share a column.
    #[test]
    fn columns_are_bounded() {
        let map = MemoryMap { end: 999, ..map() };
        assert!(map.text().lines().all(|line| line.len() < 100));
    }
}
