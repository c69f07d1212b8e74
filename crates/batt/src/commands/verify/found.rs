//! The first difference, as small as it gets, and what is said of it.

use std::io::Write;
use std::path::Path;

use batt::run::engine::mark::Mark;
use batt::run::verify::{self, Answer, Case, Check, Mismarked, Mismatch, Work};
use serde_json::{Value as Json, json};

use crate::context::Context;

/// How many smaller cases are tried.
const TRIES: usize = 5_000;

/// A difference, with the names of what its places stand for.
pub struct Found {
    mismatch: Mismatch,
    program: String,
    differ: Option<String>,
    task: String,
    /// The conformance record of the smallest case.
    pub record: Json,
}

impl Found {
    /// Makes a difference small.
    pub fn new(mismatch: Mismatch, check: &Check, work: &Work) -> Found {
        let program = mismatch.program.and_then(|at| work.programs.get(at));
        let id = program.map(|p| p.name.strip_prefix("solve_").unwrap_or(&p.name).to_string());
        let id = id.unwrap_or_else(|| "input".to_string());
        let differ = mismatch.differ.and_then(|at| work.differs.get(at));
        Found {
            record: shrunk(&mismatch, check, work).record(&id, check.policy),
            program: id,
            differ: differ.map(|differ| differ.name.clone()),
            task: work.tasks[mismatch.task].id.clone(),
            mismatch,
        }
    }

    /// For programs that read it.
    pub fn as_json(&self, file: &Path) -> Json {
        let program = self.mismatch.program.map(|_| &self.program);
        let mark = self.mismatch.mark.map(|Mismarked { right, given, wanted }| {
            json!({
                "side": if right { "right" } else { "left" },
                "given": mark_json(given),
                "wanted": mark_json(wanted),
            })
        });
        json!({
            "program": program,
            "differ": self.differ,
            "task": self.task,
            "sample": self.mismatch.sample.to_string(),
            "left": answer(&self.mismatch.left),
            "right": answer(&self.mismatch.right),
            "mark": mark,
            "record": self.record,
            "written": file.display().to_string(),
        })
    }

    /// For people.
    pub fn print(&self, file: &Path, context: &mut Context) -> anyhow::Result<()> {
        let style = context.style;
        let Mismatch { sample, left, right, mark, .. } = &self.mismatch;
        let differ = self.differ.iter().map(|name| format!(" scored by {name}"));
        let differ: String = differ.collect();
        let place = format!("{}{differ} on {} {sample}: ", self.program, self.task);
        writeln!(context, "{}{}", style.bold(&place), style.bad("differs"))?;
        writeln!(context, "  left   {}", answer(left))?;
        writeln!(context, "  right  {}", answer(right))?;
        if let Some(Mismarked { right, given, wanted }) = mark {
            let side = if *right { "right" } else { "left" };
            writeln!(
                context,
                "  the {side} engine marks it {}; it is {}",
                mark_text(*given),
                mark_text(*wanted)
            )?;
        }
        if let Some(source) = self.record["source"].as_str() {
            writeln!(context, "\nthe smallest program that differs:\n\n{source}")?;
        }
        writeln!(context, "written to {}\n", file.display())?;
        Ok(())
    }
}

/// The smallest case found. Where a case outside of the whole battery does not differ, the whole
/// is kept.
fn shrunk(first: &Mismatch, check: &Check, work: &Work) -> Case {
    let case = Case::of(first, work);
    if case.differs(check) {
        verify::shrink(case, TRIES, &|case| case.differs(check))
    } else {
        case
    }
}

fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Value(value) => value.to_string(),
        Answer::Error => "an error".to_string(),
    }
}

fn mark_text(mark: Mark) -> String {
    format!("{:016x} with {} of 1000 cells", mark.digest, mark.cells)
}

fn mark_json(mark: Mark) -> Json {
    json!({ "digest": format!("{:016x}", mark.digest), "cells": mark.cells })
}
