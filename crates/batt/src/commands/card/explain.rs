//! `--explain`: what was shared, hoisted, folded and fused, and the batch patterns found.

use std::io::Write;

use batt::lang::battery::Battery;
use batt::lang::graph::SlotId;
use serde::Serialize;

use crate::context::Context;

/// One finding: what it is, what it saves, and where.
#[derive(Debug, Serialize)]
pub struct Finding {
    what: String,
    saves: String,
    slots: Vec<String>,
}

/// All findings, by sort.
#[derive(Debug, Serialize)]
pub struct Explained {
    shared: Vec<Finding>,
    hoisted: Vec<Finding>,
    folded: Vec<Finding>,
    fused: Vec<Finding>,
    patterns: Vec<Finding>,
}

/// How many of the most shared slots are listed.
const SHARED: usize = 20;

/// Puts an explanation into words.
pub fn explained(battery: &Battery) -> Explained {
    let found = battery.explain();
    let line = |slot: SlotId| format!("{} = {}", battery.name(slot), battery.written(slot));
    let lines = |slots: &[SlotId]| slots.iter().map(|s| line(*s)).collect::<Vec<_>>();
    let one = |what: &str, saves: &str, slots: &[SlotId]| {
        let finding =
            Finding { what: what.to_string(), saves: saves.to_string(), slots: lines(slots) };
        if slots.is_empty() { Vec::new() } else { vec![finding] }
    };
    let uses: usize = found.shared.iter().map(|(_, n)| n - 1).sum();
    let shared = found.shared.iter().take(SHARED);
    let shared = Finding {
        what: format!("{} slots serve several programs", found.shared.len()),
        saves: format!("{uses} evaluations per sample at least"),
        slots: shared.map(|(slot, n)| format!("{n} programs: {}", line(*slot))).collect(),
    };
    let fused = found.fused.iter().map(|(rule, slots)| Finding {
        what: format!("{}, {} slots", rule.name(), slots.len()),
        saves: rule.saves().to_string(),
        slots: lines(slots),
    });
    let mut patterns = one(
        "sample extraction: loops over the demo pairs",
        "they run once per task, not once per sample",
        &found.samples,
    );
    patterns.extend(found.modes.iter().map(|m| Finding {
        what: format!("objects of {} in {} modes", battery.name(m.grid), m.searches.len()),
        saves: "an engine may share the grid's colour planes and look once".to_string(),
        slots: lines(&m.searches),
    }));
    patterns.extend(found.repeated.iter().map(|r| Finding {
        what: format!("{} loops over {}", r.loops.len(), battery.name(r.container)),
        saves: format!("it is taken apart {} instead of {}", times(r.frames), times(r.loops.len())),
        slots: lines(&r.loops),
    }));
    Explained {
        shared: if found.shared.is_empty() { Vec::new() } else { vec![shared] },
        hoisted: one(
            &format!("{} slots need only S", found.hoisted.len()),
            "they are computed once per task, not once per sample",
            &found.hoisted,
        ),
        folded: one(
            &format!("{} slots need nothing", found.folded.len()),
            "they are computed once",
            &found.folded,
        ),
        fused: fused.collect(),
        patterns,
    }
}

fn times(n: usize) -> String {
    match n {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        n => format!("{n} times"),
    }
}

/// Prints the findings.
pub fn print(battery: &Battery, out: &mut Context) -> anyhow::Result<()> {
    let style = out.style;
    let all = explained(battery);
    let sorts = [
        ("shared", all.shared),
        ("hoisted", all.hoisted),
        ("folded", all.folded),
        ("fused", all.fused),
        ("patterns", all.patterns),
    ];
    for (title, findings) in sorts.iter().filter(|(_, findings)| !findings.is_empty()) {
        writeln!(out, "\n{}", style.bold(title))?;
        for finding in findings {
            writeln!(out, "  {} ({})", finding.what, finding.saves)?;
            for slot in &finding.slots {
                writeln!(out, "    {slot}")?;
            }
        }
    }
    Ok(())
}
