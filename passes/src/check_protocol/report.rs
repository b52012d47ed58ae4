//! What the check has found, as diagnostics.

use super::{Request, extract::Extracted, mended};
use melior::ir::Location;
use pld_dialects::diag::{self, Code};
use pld_protocol::{
    Anchor, Finding, Mend, Mending, Record, Report, Severity, Side, SiteId, Skeleton, Stuck,
};

/// Notes on who is stuck, at most.
const MOST_STUCK: usize = 4;

/// Diagnostics of one program.
pub(super) struct Reporter<'r, 'c> {
    pub skeletons: &'r [Skeleton],
    /// How they came about, by world size.
    pub extracted: &'r [Extracted],
    /// Of sites.
    pub locations: &'r [Location<'c>],
    /// The host function.
    pub host: SiteId,
    /// Its name.
    pub name: &'r str,
    /// What was asked for.
    pub request: &'r Request,
}

impl<'c> Reporter<'_, 'c> {
    /// Says all that there is to say, and writes down what is found; returns whether there is no
    /// error.
    pub(super) fn emit(&self, report: &Report, records: &mut Vec<Record>) -> bool {
        let mut fine = true;
        for finding in &report.findings {
            let condition = self.condition(finding);
            fine &= condition.is_some();
            let mend = finding.mend.as_ref();
            let mend = mend.map(|mend| self.mending(mend, finding, &report.findings));
            self.finding(finding, condition, mend.as_ref());
            let mut record = Record::of(&self.skeletons[finding.skeleton], finding, self.name);
            record.is_error = condition.is_none();
            record.condition = condition.map(str::to_owned);
            record.mend = mend;
            records.push(record);
        }
        for note in &report.notes {
            let text = match note.incomplete {
                true => undecided(note.world, &note.text),
                false => note.text.clone(),
            };
            diag::remark_at(self.at(note.site.unwrap_or(self.host)), text).emit();
        }
        for of_size in self.extracted {
            for why in &of_size.given_up {
                let text = undecided(of_size.world, &why.text);
                diag::remark_at(self.at(why.site), text).emit();
            }
        }
        fine
    }

    /// What data has to bring about, unless it goes wrong with any.
    fn condition<'f>(&self, finding: &'f Finding) -> Option<&'f str> {
        let is_cut = |it: &Extracted| it.world == finding.world && it.is_cut;
        match &finding.severity {
            Severity::Remark { condition } => Some(condition),
            Severity::Error if self.extracted.iter().any(is_cut) => {
                Some("loops that data decides about run at most twice")
            }
            Severity::Error => None,
        }
    }

    fn at(&self, site: SiteId) -> Location<'c> {
        self.locations[site.index()]
    }

    fn finding(&self, finding: &Finding, condition: Option<&str>, mend: Option<&Mending>) {
        let (location, code) = (self.at(finding.a.site), Code(finding.code));
        let text = &finding.text;
        let mut said = match condition {
            None => diag::error_at(location, code, text),
            Some(condition) => {
                diag::remark_at(location, format!("{text}, if {condition} [{code}]"))
            }
        };
        for side in finding.b.iter().chain(&finding.more) {
            said = said.note_at(self.at(side.site), here(side));
        }
        if finding.b.is_none() {
            let others = finding.stuck.iter().filter(|stuck| stuck.at != finding.a);
            for stuck in others.take(MOST_STUCK) {
                said = said.note_at(self.at(stuck.at.site), waits(stuck));
            }
        }
        said = said.note(format!("expected: {}", finding.missing));
        if let Some(Mending { text, diff }) = mend {
            let diff = diff
                .as_ref()
                .map_or(String::new(), |diff| format!(":\n{diff}"));
            said = said.note(format!("to mend it, {text}{diff}"));
        }
        said = said.note(sizes(finding));
        if !finding.table.rows.is_empty() {
            let table = finding.table.text();
            said = said.note(format!("the shortest order that shows it:\n{table}"));
        }
        said.emit();
    }

    fn mending(&self, mend: &Mend, finding: &Finding, all: &[Finding]) -> Mending {
        let skeleton = &self.skeletons[finding.skeleton];
        Mending {
            text: self.mend(mend, finding),
            diff: mended::diff(self.request, skeleton, mend, finding, all, self.skeletons),
        }
    }

    /// A change of the program, in words.
    fn mend(&self, mend: &Mend, finding: &Finding) -> String {
        let skeleton = &self.skeletons[finding.skeleton];
        let site = |site: SiteId| place(skeleton, site);
        let anchor = |anchor: Anchor| match anchor {
            Anchor::Before(at) => format!("before {}", site(at)),
            Anchor::After(at) => format!("after {}", site(at)),
        };
        match *mend {
            Mend::Move { site: what, to } => format!("move {} to stand {}", site(what), anchor(to)),
            Mend::Barrier { signal, at } => {
                let signal = match signal {
                    Some(signal) => format!("on {}", skeleton.buffers[signal.index()].name),
                    None => "on a signal of its own".into(),
                };
                format!("put a pld.barrier {signal} {}", anchor(at))
            }
            Mend::Cell {
                site: what,
                from,
                to,
            } => format!(
                "let {} go to cell {to} of rank {} instead of cell {from}",
                site(what),
                finding.a.rank
            ),
            Mend::Peer {
                site: what,
                from,
                to,
            } => format!("let {} go to rank {to} instead of {from}", site(what)),
            Mend::Value {
                site: what,
                from,
                to,
            } => format!("let {} wait for {to} instead of {from}", site(what)),
            Mend::Add { site: what } => format!("let {} add instead of set", site(what)),
            Mend::Hoist { site: what } => {
                format!(
                    "take {} out of the branch that only some ranks take",
                    site(what)
                )
            }
        }
    }
}

fn undecided(world: u32, text: &str) -> String {
    format!("the protocol is not decided on {}: {text}", ranks(world))
}

fn ranks(world: u32) -> String {
    match world {
        1 => "1 rank".into(),
        world => format!("{world} ranks"),
    }
}

/// At which sizes it goes wrong.
fn sizes(finding: &Finding) -> String {
    let on = ranks(finding.world);
    let also: Vec<String> = finding.also_at.iter().map(u32::to_string).collect();
    match &also[..] {
        [] => format!("found on {on}"),
        [one] => format!("found on {on}, also on {one}"),
        [all @ .., last] => format!("found on {on}, also on {} and {last}", all.join(", ")),
    }
}

/// What a side does, at its place.
fn here(side: &Side) -> String {
    let trip = match side.iteration.is_empty() {
        true => String::new(),
        false => format!(", in {}", side.iteration),
    };
    format!("{} {} here{trip}", who(side), side.does)
}

fn who(side: &Side) -> String {
    match side.block {
        Some(block) => format!("rank {} block {block}", side.rank),
        None => format!("rank {}", side.rank),
    }
}

fn waits(stuck: &Stuck) -> String {
    let has = stuck
        .has
        .map_or(String::new(), |has| format!(", which is {has}"));
    format!("{} is stuck: {}{has}", who(&stuck.at), stuck.at.does)
}

/// `the pld.barrier of line 12`.
fn place(skeleton: &Skeleton, site: SiteId) -> String {
    let site = &skeleton.sites[site.index()];
    let line = site.place.rsplit(':').nth(1);
    match line.and_then(|line| line.parse::<u32>().ok()) {
        Some(line) => format!("the {} of line {line}", site.op),
        None => format!("a {} of @{}", site.op, site.function),
    }
}
