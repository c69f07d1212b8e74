//! The numbers of a battery, for people and as JSON.

use std::collections::BTreeMap;
use std::io::Write;

use batt::lang::battery::Battery;
use batt::lang::card::Card;
use serde::Serialize;

use super::explain::{self, Explained};
use super::hand::Hand;
use crate::cli::CardArgs;
use crate::context::Context;

/// The version of the JSON form.
const SCHEMA: u32 = 1;

/// What a battery holds.
#[derive(Debug, Serialize)]
pub struct Report {
    schema: u32,
    programs: usize,
    scores: usize,
    mutated: usize,
    lines: usize,
    expressions: usize,
    slots: usize,
    hoisted: usize,
    folded: usize,
    fused: usize,
    dynamic: usize,
    lines_to_change: usize,
    lines_changed: usize,
    operations: BTreeMap<String, usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explained>,
}

impl Report {
    /// Counts.
    pub fn new(hand: &Hand, card: &Card, battery: &Battery, explained: bool) -> Report {
        let stats = battery.stats();
        Report {
            schema: SCHEMA,
            programs: battery.programs().len(),
            scores: battery.scores().len(),
            mutated: battery.programs().iter().filter(|p| p.mutated).count(),
            lines: card.census().lines(),
            expressions: card.census().expressions(),
            slots: stats.slots,
            hoisted: stats.hoisted,
            folded: stats.folded,
            fused: stats.fused,
            dynamic: stats.dynamic,
            lines_to_change: hand.changes.lines,
            lines_changed: hand.changes.changed,
            operations: stats.operations,
            explanation: explained.then(|| explain::explained(battery)),
        }
    }

    /// Prints the numbers, and the table of operations if it is asked for.
    pub fn print(&self, args: &CardArgs, seconds: f64, out: &mut Context) -> anyhow::Result<()> {
        let style = out.style;
        writeln!(out, "{}", style.bold("battery"))?;
        let mutated = match self.mutated {
            0 => String::new(),
            n => format!(", {n} mutated"),
        };
        writeln!(out, "  programs     {}{mutated}", self.programs)?;
        if self.scores > 0 {
            writeln!(out, "  scores       {}", self.scores)?;
        }
        if self.lines_to_change > 0 {
            let (lines, changed) = (self.lines_to_change, self.lines_changed);
            writeln!(out, "  mutation     {changed} of {lines} lines, {}", share(changed, lines))?;
        }
        let saved = self.lines.saturating_sub(self.expressions);
        writeln!(out, "  lines        {}", self.lines)?;
        writeln!(
            out,
            "  expressions  {} distinct; merging saves {saved} lines, {}",
            self.expressions,
            share(saved, self.lines)
        )?;
        let sampled = self.slots - self.hoisted - self.folded;
        writeln!(
            out,
            "  slots        {}: {} once, {} per task, {sampled} per sample",
            self.slots, self.folded, self.hoisted
        )?;
        writeln!(out, "  fused        {} times", self.fused)?;
        if self.dynamic > 0 {
            writeln!(out, "  dynamic      {} slots run functions known at run time", self.dynamic)?;
        }
        writeln!(out, "  dealt in     {:.1} ms", seconds * 1e3)?;
        if args.stats {
            self.print_operations(out)?;
        }
        Ok(())
    }

    fn print_operations(&self, out: &mut Context) -> anyhow::Result<()> {
        let style = out.style;
        let width = self.operations.keys().map(String::len).max().unwrap_or(0).max(9);
        writeln!(
            out,
            "\n{}",
            style.bold(&format!("{:<width$}  {:>6}   share", "operation", "slots"))
        )?;
        let mut rows: Vec<(&String, &usize)> = self.operations.iter().collect();
        rows.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
        for (name, count) in rows {
            writeln!(out, "{name:<width$}  {count:>6}  {:>6}", share(*count, self.slots))?;
        }
        Ok(())
    }
}

fn share(part: usize, whole: usize) -> String {
    let float = |n: usize| f64::from(n as u32);
    format!("{:.1}%", 100.0 * float(part) / float(whole.max(1)))
}
