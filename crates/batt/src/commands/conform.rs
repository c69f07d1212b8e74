//! `batt conform`: an engine against conformance records.

use std::io::Write;

use batt::lang::Value;
use batt::run::conform::{self, Failure, OnEngine, Reference, Report, Subject};
use serde_json::json;

use super::{device_alone, engine_name, notes};
use crate::cli::ConformArgs;
use crate::context::{Context, Verdict};
use crate::draw::{self, Block};
use crate::failure;

/// How many failures are drawn.
const DRAWN: usize = 5;

/// Checks records and reports.
pub fn run(args: &ConformArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let name = args.on.device.as_deref().unwrap_or(engine_name(args.engine));
    let engine = device_alone(name, args.on.memory)?;
    let name = engine.name();
    let on_engine = OnEngine::new(&*engine);
    // The interpreter itself is checked, not the reference engine for batteries.
    let subject: &dyn Subject = if name == "reference" { &Reference } else { &on_engine };
    let report = conform::check_files(&args.files, subject, |_| true)
        .map_err(|error| failure::Failure::error(error.to_string(), HINT))?;
    let handed_back = on_engine.handed_back();
    if report.checked + report.skipped == 0 {
        return Err(failure::Failure::error("no records in these files", HINT));
    }
    let notes = notes::of(&*engine);
    if args.json {
        let mut all = as_json(&report, name, handed_back);
        all["device"] = json!(notes);
        serde_json::to_writer_pretty(&mut *context, &all)?;
        writeln!(context)?;
    } else {
        print(&report, name, handed_back, context)?;
        notes::print(&notes, "", context)?;
    }
    Ok(Verdict::good_if(report.failed == 0))
}

const HINT: &str = "a record is a line of JSON in a .jsonl or .jsonl.gz file; \
                    `batt conform --help` shows its form";

fn as_json(report: &Report, engine: &str, handed_back: usize) -> serde_json::Value {
    let failures: Vec<_> = report
        .failures
        .iter()
        .map(|f| {
            json!({
                "file": f.file.display().to_string(),
                "line": f.line,
                "id": f.id,
                "reason": f.reason,
                "expected": f.expected,
                "actual": f.actual,
            })
        })
        .collect();
    json!({
        "schema": 1,
        "engine": engine,
        "fallback": handed_back,
        "checked": report.checked,
        "passed": report.passed,
        "failed": report.failed,
        "skipped": report.skipped,
        "skipped_because": report.skips,
        "other_kind": report.other_kind,
        "refused": report.refused,
        "failures": failures,
    })
}

fn print(
    report: &Report,
    engine: &str,
    handed_back: usize,
    context: &mut Context,
) -> anyhow::Result<()> {
    let style = context.style;
    for failure in report.failures.iter().take(DRAWN) {
        let place = format!("{}:{}: {}: ", failure.file.display(), failure.line, failure.id);
        writeln!(context, "{}{}", style.bold(&place), style.bad(failure.reason))?;
        writeln!(context, "{}", draw::beside(&pictures(failure, context), style.width))?;
    }
    if report.failures.len() > DRAWN {
        let more = report.failures.len() - DRAWN;
        writeln!(context, "and {more} more failures; --json lists them all\n")?;
    }
    let failed = format!("{} failed", report.failed);
    let failed = if report.failed == 0 { style.good(&failed) } else { style.bad(&failed) };
    writeln!(
        context,
        "{} checked, {} passed, {failed}, {} skipped",
        report.checked, report.passed, report.skipped
    )?;
    for (reason, count) in &report.skips {
        writeln!(context, "  {count} skipped: {reason}")?;
    }
    if handed_back > 0 {
        writeln!(
            context,
            "  {handed_back} of them by the interpreter: the engine handed them back"
        )?;
    }
    if report.other_kind > 0 {
        let n = report.other_kind;
        writeln!(context, "  {n} passed with an error of another kind than the record names")?;
    }
    if report.refused > 0 {
        let n = report.refused;
        writeln!(context, "  {n} passed with an error where a value or an error is allowed")?;
    }
    writeln!(context, "engine {engine}")?;
    Ok(())
}

/// What was expected and what came, side by side, with the differences marked in grids.
fn pictures(failure: &Failure, context: &Context) -> Vec<Block> {
    let style = &context.style;
    let rows = |value: &Option<Value>| value.as_ref().and_then(Value::grid_rows);
    if let (Some(expected), Some(actual)) =
        (rows(&failure.expected_value), rows(&failure.actual_value))
    {
        return vec![
            draw::grid(style, "expected", &expected),
            draw::compared(style, "actual", &actual, &expected),
        ];
    }
    let sides = [
        ("expected", &failure.expected_value, &failure.expected),
        ("actual", &failure.actual_value, &failure.actual),
    ];
    sides
        .into_iter()
        .flat_map(|(label, value, text)| {
            if let Some(value) = value {
                return draw::value(style, label, value, None);
            }
            let mut block = Block::new(label);
            block.text(text, 40);
            vec![block]
        })
        .collect()
}
