//! `docs/diagnostics.md` tells the truth: each bad program is refused by exactly its code,
//! with the message shown, and each mended one is clean. Programs of codes from 300 are
//! lowered to the target, those of codes from 400 run on two ranks in eight schedules.

use melior::Context;
use pld_suite::{self as session, Outcome, Said, in_repository, text_below};
use std::collections::BTreeSet;

/// A section `## pld-NNN`: its fenced blocks as (language, text).
struct Section {
    code: String,
    blocks: Vec<(String, String)>,
}

fn sections(page: &str) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut block: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut block, line.strip_prefix("```")) {
            (Some(_), Some(_)) => {
                let section: &mut Section = sections.last_mut().expect("blocks follow a heading");
                section.blocks.extend(block.take());
            }
            (Some((_, text)), None) => *text += &format!("{line}\n"),
            (None, Some(language)) => block = Some((language.into(), String::new())),
            (None, None) => {
                if let Some(code) = line.strip_prefix("## pld-") {
                    let digits: String = code.chars().take_while(char::is_ascii_digit).collect();
                    sections.push(Section {
                        code: format!("pld-{digits}"),
                        blocks: Vec::new(),
                    });
                }
            }
        }
    }
    sections
}

/// What is said of a program by what finds `code`.
fn ask(context: &Context, code: &str, program: &str) -> Outcome {
    match code.as_bytes()[4] {
        b'1' => session::run(context, program, "pld-lint"),
        b'2' => session::run(context, program, "pld-check-protocol"),
        b'3' => session::run(context, program, "lower-pld-to-hccl"),
        _ => simulate(program),
    }
}

/// What a run finds, in the form of diagnostics.
fn simulate(program: &str) -> Outcome {
    let source = pld::Source::new("program.mlir", program);
    let result = pld::Program::parse(&source).and_then(|program| {
        let simulation = pld::Simulation::new(&program, 2);
        simulation.protocol(false).schedules(8).run()
    });
    let said = |is_finding, message| Said {
        is_finding,
        message,
        is_located: true,
    };
    let mut all = Vec::new();
    match result {
        Ok(outcome) => {
            for finding in outcome.run.findings {
                all.push(said(
                    true,
                    format!("{} [{}]", finding.message, finding.code),
                ));
                all.extend(
                    finding
                        .notes
                        .into_iter()
                        .map(|note| said(false, note.message)),
                );
            }
        }
        Err(pld::Error::Invalid(diagnostics)) => {
            for diagnostic in diagnostics {
                let code = diagnostic.code.map(|code| format!(" [{code}]"));
                let message = diagnostic.message + &code.unwrap_or_default();
                all.push(said(true, message));
                all.extend(
                    diagnostic
                        .notes
                        .into_iter()
                        .map(|note| said(false, note.message)),
                );
            }
        }
        Err(other) => all.push(said(true, other.to_string())),
    }
    Outcome {
        printed: all.is_empty().then(String::new),
        said: all,
    }
}

/// Blocks come in threes: bad program, message, mended program.
fn check(context: &Context, section: &Section) -> Result<(), String> {
    let blocks: Vec<_> = section.blocks.iter().collect();
    if blocks.is_empty() || blocks.len() % 3 != 0 {
        return Err(format!(
            "{} blocks, expected bad, message, mended",
            blocks.len()
        ));
    }
    for three in blocks.chunks(3) {
        let languages: Vec<_> = three
            .iter()
            .map(|(language, _)| language.as_str())
            .collect();
        if languages != ["mlir", "text", "mlir"] {
            return Err(format!("blocks {languages:?}, expected mlir, text, mlir"));
        }
        let (bad, message, mended) = (&three[0].1, three[1].1.trim(), &three[2].1);
        let outcome = ask(context, &section.code, bad);
        let findings: Vec<_> = outcome.said.iter().filter(|said| said.is_finding).collect();
        let codes: BTreeSet<_> = findings.iter().map(|said| said.code()).collect();
        if codes != BTreeSet::from([Some(section.code.as_str())]) {
            return Err(format!("the bad program gives {findings:#?}\n{bad}"));
        }
        // The message as pld-opt prints it: findings and notes, line by line.
        for line in message.lines() {
            let said = ["error: ", "warning: ", "note: "]
                .iter()
                .find_map(|kind| line.strip_prefix(kind))
                .ok_or_else(|| format!("'{line}' is no error, warning or note"))?;
            if !outcome.said.iter().any(|found| found.message == said) {
                return Err(format!("'{said}' was not said, but {:#?}", outcome.said));
            }
        }
        let outcome = ask(context, &section.code, mended);
        if outcome.printed.is_none() || !outcome.said.is_empty() {
            return Err(format!(
                "the mended program gives {:#?}\n{mended}",
                outcome.said
            ));
        }
    }
    Ok(())
}

/// The codes that anything reports: `Code(104)` or `pld-104` in the sources.
fn reported_codes() -> BTreeSet<String> {
    let folders = [
        "dialects/src",
        "passes/src",
        "lowering/src",
        "runtime/src",
        "facade/src",
    ];
    let sources = text_below(&folders, "rs");
    let codes = sources.split("Code(").chain(sources.split("pld-")).skip(1);
    codes
        .filter_map(|rest| rest.get(..3))
        .filter(|digits| digits.chars().all(|c| c.is_ascii_digit()))
        .map(|digits| format!("pld-{digits}"))
        .collect()
}

#[test]
fn page_is_true() {
    let page = std::fs::read_to_string(in_repository("docs/diagnostics.md")).expect("the page");
    let context = session::context();
    let wrong: Vec<_> = sections(&page)
        .iter()
        .filter_map(|section| {
            let error = check(&context, section).err()?;
            Some(format!("{}: {error}", section.code))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn page_is_complete() {
    let page = std::fs::read_to_string(in_repository("docs/diagnostics.md")).expect("the page");
    let documented: BTreeSet<_> = sections(&page).into_iter().map(|s| s.code).collect();
    let missing: Vec<_> = reported_codes().difference(&documented).cloned().collect();
    assert!(missing.is_empty(), "no section for {missing:?}");
}
