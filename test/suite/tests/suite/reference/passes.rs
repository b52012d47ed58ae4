//! The page of passes, pipelines and translations, from what registers itself.

use pld_dialects::pass::{OptionSpec, Options, Pass, Pipeline, Translation, registered};
use std::fmt::Write;

/// The page, ready to be written.
pub fn page() -> String {
    // Registers all there is.
    drop(pld_suite::context());
    let all = registered();
    let mut text = format!("{}the tables of passes; edit those. -->\n\n", super::OF);
    text += "# Passes and pipelines\n\n\
             Each has a flag of `pld-opt`, beside all of upstream's; options follow in quotes:\n\
             `--lower-pld-to-cpu=\"bounds=false\"`.\n\n";
    text += "| pipeline | |\n| --- | --- |\n";
    for pipeline in &all.pipelines {
        row(&mut text, pipeline.argument, pipeline.description);
    }
    text += "\n| pass | |\n| --- | --- |\n";
    for pass in &all.passes {
        row(&mut text, pass.argument, pass.description);
    }
    text += "\n| translation | |\n| --- | --- |\n";
    for translation in &all.translations {
        row(&mut text, translation.argument, translation.description);
    }
    text += "\n## Pipelines\n";
    for pipeline in &all.pipelines {
        pipeline_section(&mut text, pipeline);
    }
    text += "\n## Passes\n";
    for pass in &all.passes {
        pass_section(&mut text, pass);
    }
    text += "\n## Translations of `pld-translate`\n";
    for translation in &all.translations {
        translation_section(&mut text, translation);
    }
    text
}

/// A row of an index: the name, with a link, and the first sentence.
fn row(text: &mut String, name: &str, description: &str) {
    let end = description.find([':', ';']).into_iter();
    let end = end.chain(description.find(". ")).min();
    let sentence = &description[..end.unwrap_or(description.len())];
    let sentence = sentence.trim_end_matches('.');
    let _ = writeln!(text, "| [`--{name}`](#--{name}) | {sentence} |");
}

fn head(text: &mut String, name: &str, description: &str, options: &[OptionSpec]) {
    let _ = writeln!(text, "\n### `--{name}`\n\n{description}");
    if options.is_empty() {
        return;
    }
    *text += "\n| option | default | |\n| --- | --- | --- |\n";
    for option in options {
        let default = match option.default {
            "" => String::new(),
            value => format!("`{value}`"),
        };
        let (name, description) = (option.name, option.description);
        let _ = writeln!(text, "| `{name}` | {default} | {description} |");
    }
}

fn pass_section(text: &mut String, pass: &Pass) {
    head(text, pass.argument, pass.description, pass.options);
}

fn translation_section(text: &mut String, translation: &Translation) {
    head(text, translation.argument, translation.description, &[]);
}

fn pipeline_section(text: &mut String, pipeline: &Pipeline) {
    head(
        text,
        pipeline.argument,
        pipeline.description,
        pipeline.options,
    );
    let build = (pipeline.build)(&Options::defaults(pipeline.options));
    let passes = build.expect("the defaults are good options");
    *text += "\nIts passes, in order:\n\n```text\n";
    for pass in split(&passes) {
        let _ = writeln!(text, "{pass}");
    }
    *text += "```\n";
}

/// The passes of a textual pipeline; commas inside of braces and parentheses are their own.
fn split(pipeline: &str) -> Vec<&str> {
    let mut depth = 0;
    let at_top = move |c: char| {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    pipeline.split(at_top).collect()
}

#[test]
fn pipelines_are_split_at_the_top() {
    assert_eq!(
        split("a,b{c=1 d=e,f},g(h,i)"),
        ["a", "b{c=1 d=e,f}", "g(h,i)"]
    );
}

/// Each of ours says what it does, and so do its options.
#[test]
fn every_pass_is_described() {
    drop(pld_suite::context());
    let all = registered();
    assert!(all.passes.len() >= 10 && all.pipelines.len() >= 3 && !all.translations.is_empty());
    let passes = all
        .passes
        .iter()
        .map(|it| (it.argument, it.description, it.options));
    let pipelines = all
        .pipelines
        .iter()
        .map(|it| (it.argument, it.description, it.options));
    for (name, description, options) in passes.chain(pipelines) {
        assert!(description.ends_with('.'), "{name}: {description}");
        assert!(
            options.iter().all(|it| !it.description.is_empty()),
            "{name}"
        );
    }
}
