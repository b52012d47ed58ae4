//! Mends as changes of the program's text: lines are moved, added or changed, and what comes of it
//! is parsed and checked again. Only what is right then is shown.

use super::{Request, findings_of};
use pld_dialects::{bridge, file, lazy_context};
use pld_protocol::{Anchor, Finding, Mend, Place, Site, SiteId, Skeleton};
use similar::TextDiff;
use std::{borrow::Cow, collections::HashSet, path::Path};

/// Changes that are tried for one finding.
const TRIES: usize = 16;

/// What is wrong, told without lines, which a change moves.
type Mistake<'f> = (&'static str, &'f str, &'f str);

/// The text of a program, if it can be had.
fn text_of<'r>(request: &'r Request, name: &str) -> Option<Cow<'r, str>> {
    let given = request.texts.iter().find(|(given, _)| given == name);
    match given {
        Some((_, text)) => Some(Cow::Borrowed(text)),
        None => {
            let text = file::of_location(Path::new(name))?;
            String::from_utf8(text).ok().map(Cow::Owned)
        }
    }
}

/// The change that mends a finding, as a unified diff of the file that its operations are in;
/// `others` are the findings that it leaves.
pub(super) fn diff(
    request: &Request,
    skeleton: &Skeleton,
    mend: &Mend,
    finding: &Finding,
    all: &[Finding],
    skeletons: &[Skeleton],
) -> Option<String> {
    let site = |site: SiteId| &skeleton.sites[site.index()];
    let at = site(first_site(mend)).position()?;
    let text = text_of(request, &at.file)?;
    let program = Text {
        lines: text.lines().collect(),
        file: &at.file,
    };
    // Nobody could check a change of another language.
    if !program.is_mlir(site(first_site(mend))) {
        return None;
    }
    let others: HashSet<Mistake> = all
        .iter()
        .filter(|other| !std::ptr::eq(*other, finding))
        .map(|other| mistake(&skeletons[other.skeleton], other))
        .collect();
    let tries = program.changes(skeleton, mend).into_iter().take(TRIES);
    let mut tries = tries.map(|lines| lines.join("\n") + "\n");
    let changed = tries.find(|changed| {
        leaves(request, changed, &at.file)
            .is_some_and(|left| left.iter().all(|left| others.contains(&left.as_mistake())))
    })?;
    let diff = TextDiff::from_lines(text.as_ref(), &changed);
    let mut diff = diff.unified_diff();
    let diff = diff.context_radius(1).header(&at.file, &at.file);
    Some(diff.to_string().trim_end().to_owned())
}

fn first_site(mend: &Mend) -> SiteId {
    match *mend {
        Mend::Barrier {
            at: Anchor::Before(site) | Anchor::After(site),
            ..
        }
        | Mend::Move { site, .. }
        | Mend::Cell { site, .. }
        | Mend::Peer { site, .. }
        | Mend::Value { site, .. }
        | Mend::Add { site }
        | Mend::Hoist { site } => site,
    }
}

fn code(finding: &Finding) -> &'static str {
    match finding.code {
        201..=203 | 207 => "order",
        _ => "signals",
    }
}

fn mistake<'f>(skeleton: &'f Skeleton, finding: &Finding) -> Mistake<'f> {
    let site = &skeleton.sites[finding.a.site.index()];
    (code(finding), &site.op, &site.function)
}

/// What a program has wrong.
struct Left {
    code: &'static str,
    op: String,
    function: String,
}

impl Left {
    fn as_mistake(&self) -> Mistake<'_> {
        (self.code, &self.op, &self.function)
    }
}

/// What a changed program has wrong; `None` if it is no program, or is not decided.
fn leaves(request: &Request, text: &str, file: &str) -> Option<Vec<Left>> {
    let context = lazy_context();
    let handler = context.attach_diagnostic_handler(|_| true);
    let module = bridge::parse_module(&context, text.as_bytes(), file);
    let left = module.and_then(|module| {
        let mut left = Vec::new();
        for (skeletons, report, is_decided) in findings_of(module.as_operation(), request) {
            if !is_decided || report.incomplete {
                return None;
            }
            left.extend(report.findings.iter().map(|finding| {
                let (code, op, function) = mistake(&skeletons[finding.skeleton], finding);
                Left {
                    code,
                    op: op.to_owned(),
                    function: function.to_owned(),
                }
            }));
        }
        Some(left)
    });
    context.detach_diagnostic_handler(handler);
    left
}

/// A file as lines.
struct Text<'t> {
    lines: Vec<&'t str>,
    file: &'t str,
}

/// The lines of a statement: the first, and one past the last.
type Span = (usize, usize);

impl<'t> Text<'t> {
    /// Whether an operation is written here as MLIR has it.
    fn is_mlir(&self, site: &Site) -> bool {
        let here = site.position().and_then(|place| {
            let line = self.lines.get(place.line.checked_sub(1)? as usize)?;
            line.get(place.column.checked_sub(1)? as usize..)
        });
        here.is_some_and(|here| here.starts_with(site.op.as_str()))
    }

    fn place(&self, site: &Site) -> Option<Place> {
        site.position().filter(|place| place.file == self.file)
    }

    /// The statement that an operation is.
    fn span(&self, site: &Site) -> Option<Span> {
        let first = self.place(site)?.line.checked_sub(1)? as usize;
        let mut end = first;
        let mut open = 0_i32;
        loop {
            let line = code_of(self.lines.get(end)?);
            open += balance(line);
            end += 1;
            let goes_on = line.trim_end().ends_with([',', ':']) && !line.trim_end().ends_with("):");
            let continues = self.lines.get(end).is_some_and(|next| {
                let next = next.trim_start();
                next.starts_with([':', ')', ']']) || next.starts_with("->")
            });
            if open <= 0 && !goes_on && !continues {
                return Some((first, end));
            }
        }
    }

    fn indent(&self, line: usize) -> &'t str {
        let line = self.lines[line];
        &line[..line.len() - line.trim_start().len()]
    }

    /// The function around a line: its first line, up to the line.
    fn function(&self, line: usize) -> Span {
        let heads = (0..=line).rev();
        let mut heads = heads.filter(|&at| self.lines[at].trim_start().starts_with("func.func"));
        (heads.next().unwrap_or(0), line)
    }

    /// All lines, without those of `removed`, and with `added` before line `at`.
    fn with(&self, removed: Span, at: usize, added: &[String]) -> Vec<String> {
        let mut lines = Vec::new();
        for line in 0..=self.lines.len() {
            if line == at {
                lines.extend_from_slice(added);
            }
            if let Some(text) = self.lines.get(line)
                && !(removed.0..removed.1).contains(&line)
            {
                lines.push((*text).to_owned());
            }
        }
        lines
    }

    /// All lines, with `line` as that text.
    fn replaced(&self, line: usize, text: String) -> Vec<String> {
        self.with((line, line + 1), line, &[text])
    }

    /// Where an anchor is: the line to stand before, and how that is indented.
    fn anchor(&self, skeleton: &Skeleton, anchor: Anchor) -> Option<(usize, &'t str)> {
        let site = |site: SiteId| &skeleton.sites[site.index()];
        let (span, is_after) = match anchor {
            Anchor::Before(at) => (self.span(site(at))?, false),
            Anchor::After(at) => (self.span(site(at))?, true),
        };
        let line = if is_after { span.1 } else { span.0 };
        Some((line, self.indent(span.0)))
    }

    fn moved(&self, site: &Site, skeleton: &Skeleton, to: Anchor) -> Option<Vec<String>> {
        let span = self.span(site)?;
        let (line, indent) = self.anchor(skeleton, to)?;
        let old = self.indent(span.0);
        let lines = self.lines[span.0..span.1].iter().map(|line| {
            let rest = line.strip_prefix(old).unwrap_or(line);
            format!("{indent}{rest}")
        });
        let changed = self.with(span, line, &lines.collect::<Vec<_>>());
        (!(span.0..=span.1).contains(&line)).then_some(changed)
    }

    /// The texts to try, likeliest first.
    fn changes(&self, skeleton: &Skeleton, mend: &Mend) -> Vec<Vec<String>> {
        let site = |site: SiteId| &skeleton.sites[site.index()];
        let changes = match *mend {
            Mend::Move { site: what, to } => {
                return self.moved(site(what), skeleton, to).into_iter().collect();
            }
            Mend::Barrier { at, .. } => self.barriers(skeleton, at),
            Mend::Cell { site: what, .. } => self.indexed(site(what)),
            Mend::Peer { site: what, .. } => self.sent(site(what)),
            Mend::Value { site: what, to, .. } => self.expecting(site(what), to),
            Mend::Add { site: what } => self.span(site(what)).map(|(first, _)| {
                let line = self.lines[first].replacen("notify set", "notify add", 1);
                vec![self.replaced(first, line)]
            }),
            Mend::Hoist { site: what } => self.hoisted(site(what)),
        };
        changes.unwrap_or_default()
    }

    /// A barrier on each signal of the function.
    fn barriers(&self, skeleton: &Skeleton, at: Anchor) -> Option<Vec<Vec<String>>> {
        let (line, indent) = self.anchor(skeleton, at)?;
        let (head, _) = self.function(line);
        let before = &self.lines[head..line];
        let mut barriers: Vec<String> = self.lines[head..]
            .iter()
            .take_while(|text| !text.starts_with('}'))
            .filter_map(|text| {
                let text = code_of(text).trim();
                text.starts_with("pld.barrier ").then(|| text.to_owned())
            })
            .collect();
        barriers.extend(
            signals(&before.join(" ")).map(|(name, r#type)| format!("pld.barrier {name} : {type}")),
        );
        let mut seen = HashSet::new();
        barriers.retain(|barrier| seen.insert(barrier.clone()));
        let put = |barrier: String| self.with((0, 0), line, &[format!("{indent}{barrier}")]);
        Some(barriers.into_iter().map(put).collect())
    }

    /// A notify of another row of its signal.
    fn indexed(&self, site: &Site) -> Option<Vec<Vec<String>>> {
        let (first, _) = self.span(site)?;
        let (head, index, tail) = between(self.lines[first], "[", &[',', ']'])?;
        let names = self.ranks(first).into_iter().filter(|name| *name != index);
        let put = |name: &str| self.replaced(first, format!("{head}{name}{tail}"));
        Some(names.map(put).collect())
    }

    /// A notify to another rank.
    fn sent(&self, site: &Site) -> Option<Vec<Vec<String>>> {
        let (first, _) = self.span(site)?;
        let (head, peer, tail) = between(self.lines[first], " to ", &[' ', ':'])?;
        let names = self.ranks(first).into_iter().filter(|name| *name != peer);
        let put = |name: &str| self.replaced(first, format!("{head}{name}{tail}"));
        Some(names.map(put).collect())
    }

    /// A wait for another value.
    fn expecting(&self, site: &Site, to: i64) -> Option<Vec<Vec<String>>> {
        let (first, _) = self.span(site)?;
        let (start, _) = self.function(first);
        let line = self.lines[first];
        let from = line.find('%')?;
        let end = from + line[from..].find(',')?;
        let (head, tail) = (&line[..from], &line[end..]);
        let known = format!("arith.constant {to} : i32");
        let known = self.lines[start..first].iter().find_map(|line| {
            let (name, what) = line.trim().split_once(" = ")?;
            (code_of(what).trim() == known).then_some(name)
        });
        Some(vec![match known {
            Some(name) => self.replaced(first, format!("{head}{name}{tail}")),
            None => {
                let (indent, name) = (self.indent(first), format!("%wait_for_{to}"));
                let constant = format!("{indent}{name} = arith.constant {to} : i32");
                self.with(
                    (first, first + 1),
                    first,
                    &[constant, format!("{head}{name}{tail}")],
                )
            }
        }])
    }

    /// A statement before or behind the branch that it is in.
    fn hoisted(&self, site: &Site) -> Option<Vec<Vec<String>>> {
        let span = self.span(site)?;
        let own = self.indent(span.0).len();
        let outer = |line: &usize| {
            let text = self.lines[*line];
            !text.trim().is_empty() && self.indent(*line).len() < own
        };
        let head = (0..span.0).rev().find(outer)?;
        let tail = (span.1..self.lines.len()).find(outer)?;
        let indent = self.indent(head);
        let lines: Vec<String> = self.lines[span.0..span.1]
            .iter()
            .map(|line| format!("{indent}{}", line.trim_start()))
            .collect();
        let behind = (tail..self.lines.len()).find(|&line| self.lines[line].trim() == "}")?;
        Some(vec![
            self.with(span, behind + 1, &lines),
            self.with(span, head, &lines),
        ])
    }

    /// Names of integers that could be ranks, nearest first, the own rank before all.
    fn ranks(&self, line: usize) -> Vec<&'t str> {
        let (head, line) = self.function(line);
        let definitions = self.lines[head..line].iter().rev();
        let mut names: Vec<(&str, &str)> = definitions
            .filter_map(|line| line.trim().split_once(" = "))
            .filter(|(_, what)| {
                let ops = ["pld.rank ", "arith.", "index.", "affine.apply"];
                let is_index = !what.contains(": i32") && !what.contains(": f32");
                is_index && ops.iter().any(|op| what.starts_with(op))
            })
            .collect();
        names.sort_by_key(|(_, what)| !what.starts_with("pld.rank "));
        names.into_iter().map(|(name, _)| name).collect()
    }
}

/// A line without its comment.
fn code_of(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code)
}

/// Brackets opened, less those closed.
fn balance(line: &str) -> i32 {
    let brackets = line.chars().map(|c| match c {
        '(' | '[' => 1,
        ')' | ']' => -1,
        _ => 0,
    });
    brackets.sum()
}

/// Splits a line into what comes up to `start`, then up to one of `ends`, and the rest.
fn between<'l>(line: &'l str, start: &str, ends: &[char]) -> Option<(&'l str, &'l str, &'l str)> {
    let from = line.find(start)? + start.len();
    let end = from + line[from..].find(ends)?;
    Some((&line[..from], line[from..end].trim(), &line[end..]))
}

/// Names and types of windows of i32 among the arguments of a function.
fn signals(head: &str) -> impl Iterator<Item = (&str, &str)> {
    let arguments = head.split(" attributes ").next().unwrap_or(head);
    arguments
        .match_indices("!pld.dtensor<")
        .filter_map(|(at, _)| {
            let end = at + head[at..].find('>')? + 1;
            let r#type = &head[at..end];
            let name = head[..at].trim_end().strip_suffix(':')?;
            let name = &name[name.rfind('%')?..];
            r#type.ends_with("xi32>").then_some((name, r#type))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(line: u32, column: u32, op: &str) -> Site {
        Site {
            op: op.into(),
            function: "f".into(),
            place: format!("p.mlir:{line}:{column}"),
        }
    }

    fn text(lines: &str) -> Text<'_> {
        Text {
            lines: lines.lines().collect(),
            file: "p.mlir",
        }
    }

    /// A statement goes on over lines, up to where its brackets close and its types end.
    #[test]
    fn spans() {
        let program = text("  a.b %x[%i,\n     0]\n     : t\n  c.d // (\n  e.f");
        assert_eq!(program.span(&site(1, 3, "a.b")), Some((0, 3)));
        assert_eq!(program.span(&site(4, 3, "c.d")), Some((3, 4)));
        assert!(program.is_mlir(&site(4, 3, "c.d")));
        assert!(!program.is_mlir(&site(4, 2, "c.d")));
    }

    /// Only windows of i32 can be signals.
    #[test]
    fn signals_of_a_function() {
        let head = "func.func @f(%x: memref<4xi32> {pl.out}, %d: !pld.dtensor<4xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} { %t: !pld.dtensor<1xi32>";
        let found: Vec<_> = signals(head).collect();
        assert_eq!(found, [("%s", "!pld.dtensor<?x1xi32>")]);
    }
}
