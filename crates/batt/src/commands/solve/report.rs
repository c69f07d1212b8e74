//! The report of `batt solve`: attempts, their programs, the submission, and what was tried.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use batt::evolve::submission::Submission;
use batt::evolve::submission::choose::fill;
use batt::lang::text;
use batt::run::reference::eval::{Inputs, Policy};
use batt::run::tasks::{Grid, Task};
use batt::solve::{Answer, Attempt, Config, Part};
use serde_json::json;

use super::{how, keep};
use crate::cli::SolveArgs;
use crate::commands::show::steps;
use crate::context::Context;
use crate::draw::{self, Block};
use crate::tell::Messages;

/// Tasks and what was found for them.
pub struct Solved<'a> {
    /// The tasks.
    pub tasks: Vec<&'a Task>,
    /// By task; none where it was not begun.
    pub answers: Vec<Option<Answer>>,
    /// What was asked for.
    pub config: &'a Config,
}

/// Whether every test of a task has a right attempt, where all of their outputs are known.
fn is_right(task: &Task, attempts: &[Attempt]) -> Option<bool> {
    task.tests.iter().enumerate().try_fold(true, |right, (at, test)| {
        let output = test.output.as_ref()?;
        Some(right && attempts.iter().any(|one| one.outputs.get(at) == Some(output)))
    })
}

impl Solved<'_> {
    /// Every task with its attempts.
    pub fn each(&self) -> impl Iterator<Item = (&Task, &[Attempt])> {
        self.tasks.iter().zip(&self.answers).map(|(task, answer)| {
            (*task, answer.as_ref().map_or(&[][..], |answer| &answer.attempts[..]))
        })
    }

    pub fn tasks_with_attempts(&self) -> usize {
        self.each().filter(|(_, attempts)| !attempts.is_empty()).count()
    }

    /// How many tasks whose tests are known have a right attempt for all of them, and how many are known.
    fn right(&self) -> (usize, usize) {
        let known = self.each().filter_map(|(task, attempts)| is_right(task, attempts));
        known.fold((0, 0), |(rights, all), right| (rights + usize::from(right), all + 1))
    }

    pub fn submission(&self) -> Submission {
        let tests = |(task, attempts): (&Task, &[Attempt])| {
            let one = |(at, input): (usize, &Grid)| {
                let outputs =
                    attempts.iter().filter_map(|attempt| attempt.outputs.get(at).cloned());
                fill(outputs, input, self.config.attempts).attempts
            };
            let inputs = task.tests.iter().map(|test| &test.input);
            (task.id.clone(), inputs.enumerate().map(one).collect())
        };
        self.each().map(tests).collect()
    }

    /// The programs as one file: `solve_<task>`, the best of each task first.
    pub fn programs(&self) -> String {
        let mut text = String::new();
        for (task, attempts) in self.each() {
            for (at, attempt) in attempts.iter().enumerate() {
                let mut program = attempt.program.clone();
                if at > 0 {
                    // Read back, such a name tells the task without its number.
                    program.name = format!("solve_{}__{}", task.id, at + 1);
                    program.task = None;
                }
                let _ = writeln!(text, "# {}", attempt.how);
                let _ = writeln!(text, "{}", text::print(&program));
            }
        }
        text
    }

    pub fn tell_refused(&self, context: &Context) {
        let mut warnings = Messages::new(["warning", "warnings"], context.verbose);
        for (task, answer) in self.tasks.iter().zip(self.answers.iter().flatten()) {
            for why in &answer.refused {
                warnings.tell(format_args!(
                    "warning: {}: the interpreter refused a program: {why}",
                    task.id
                ));
            }
        }
    }

    pub fn json(&self, seconds: f64) -> serde_json::Value {
        let task = |(task, of): (&Task, &[Attempt])| {
            let attempt = |attempt: &Attempt| {
                json!({
                    "part": attempt.part.name(), "how": attempt.how, "trust": attempt.trust, "program": text::print(&attempt.program),
                })
            };
            let attempts: Vec<_> = of.iter().map(attempt).collect();
            json!({"task": task.id, "right": is_right(task, of), "attempts": attempts})
        };
        let (right, known) = self.right();
        json!({
            "schema": 1, "tasks": self.tasks.len(), "tasks_with_attempts": self.tasks_with_attempts(),
            "tasks_known": known, "tasks_right": right, "seconds": seconds,
            "answers": self.each().map(task).collect::<Vec<_>>(),
        })
    }

    /// Draws what was tried for all tasks, or for one, and how its attempts come about.
    pub fn explain(&self, only: Option<&str>, context: &mut Context) -> anyhow::Result<()> {
        for (task, answer) in self.tasks.iter().zip(&self.answers) {
            if only.is_some_and(|id| id != task.id) {
                continue;
            }
            let style = context.style;
            writeln!(context, "{}", style.bold(&format!("task {}", task.id)))?;
            let Some(answer) = answer else {
                writeln!(context, "not begun\n")?;
                continue;
            };
            for demo in &task.demos {
                let output = demo.output.as_ref();
                let output = output.map(|output| picture(context, "demo output", output, ""));
                let input = picture(context, "demo input", &demo.input, "");
                let blocks: Vec<Block> = [Some(input), output].into_iter().flatten().collect();
                writeln!(context, "{}\n", draw::beside(&blocks, style.width).trim_end())?;
            }
            explain_parts(answer, context)?;
            for (at, attempt) in answer.attempts.iter().enumerate() {
                let trust = (100.0 * attempt.trust).round();
                let title = format!("attempt {} by {}", at + 1, attempt.part);
                writeln!(context, "\n{}, trusted {trust} %", style.bold(&title))?;
                for sentence in how::sentences(&attempt.how) {
                    writeln!(context, "  {sentence}")?;
                }
                writeln!(context, "\n{}", text::print(&attempt.program))?;
                explain_tests(task, attempt, context)?;
            }
            writeln!(context)?;
        }
        Ok(())
    }

    /// What was achieved, by parts, and what to type next.
    pub fn report(
        &self,
        args: &SolveArgs,
        seconds: f64,
        grown: Option<(usize, usize)>,
        context: &mut Context,
    ) -> anyhow::Result<()> {
        let (tasks, with) = (self.tasks.len(), self.tasks_with_attempts());
        writeln!(context, "{with} of {tasks} tasks have an attempt by a program, {seconds:.1} s")?;
        let (right, known) = self.right();
        if known > 0 {
            let attempts = if self.config.attempts == 1 {
                "one attempt".to_string()
            } else {
                format!("{} attempts", self.config.attempts)
            };
            writeln!(
                context,
                "  {right} of {known} tasks whose outputs are known are right with {attempts}"
            )?;
        }
        for part in &self.config.parts {
            let by = |attempt: &&Attempt| attempt.part == *part;
            let first = self.each().filter_map(|(_, attempts)| attempts.first()).filter(by).count();
            let all: usize =
                self.each().map(|(_, attempts)| attempts.iter().filter(by).count()).sum();
            if all > 0 {
                let attempts = if all == 1 { "attempt" } else { "attempts" };
                writeln!(
                    context,
                    "  {part}: {all} {attempts}, {first} of them the first of their task"
                )?;
            }
        }
        let wrote = |path: &Path| format!("wrote {}", path.display());
        for path in [&args.output, &args.programs].into_iter().flatten() {
            writeln!(context, "  {}", wrote(path))?;
        }
        if let (Some(path), Some((new, all))) = (&args.library, grown) {
            let path = path.display();
            writeln!(context, "  {path}: {new} programs new or shorter, {all} in all")?;
        }
        let data =
            args.tasks.tasks.as_deref().map_or(String::new(), |tasks| format!(" --tasks {tasks}"));
        match (&args.programs, &args.output) {
            (Some(programs), _) => {
                writeln!(context, "next: batt run {}{data}", programs.display())?;
            }
            (None, Some(output)) => {
                writeln!(context, "next: batt score {}{data}", output.display())?;
            }
            (None, None) => {
                writeln!(context, "next: batt solve{data} -o submission.json --programs found.py")?;
            }
        }
        Ok(())
    }
}

/// The parts that were asked, and what they found.
fn explain_parts(answer: &Answer, context: &mut Context) -> anyhow::Result<()> {
    for tried in &answer.tried {
        let (part, candidates, rows) = (tried.part, tried.candidates, tried.rows);
        let programs = if candidates == 1 { "program" } else { "programs" };
        let spent = match rows {
            0 => String::new(),
            rows => format!(", {rows} row evaluations of the budget"),
        };
        writeln!(context, "  {part}: {candidates} {programs} right on all demos{spent}")?;
    }
    let asked = |part: &&Part| !answer.tried.iter().any(|tried| tried.part == **part);
    if answer.tried.is_empty() {
        writeln!(context, "  taken from the archive")?;
    } else if !answer.attempts.is_empty() {
        for part in Part::ALL.iter().filter(asked) {
            writeln!(context, "  {part}: not asked")?;
        }
    }
    for refusal in &answer.refused {
        writeln!(context, "  refused: {refusal}")?;
    }
    if answer.attempts.is_empty() {
        writeln!(context, "  no program is right on all demos")?;
    }
    Ok(())
}

/// What a program does with the first test, step by step, and what it makes of all.
fn explain_tests(task: &Task, attempt: &Attempt, context: &mut Context) -> anyhow::Result<()> {
    let style = context.style;
    let s = task.pairs();
    // As it reads once it is text: every line is a step.
    let program = keep::read(&text::print(&attempt.program));
    if let Some((test, program)) = task.tests.first().zip(program) {
        let input = test.input.to_value();
        let inputs = Inputs { s: &s, i: &input, c: None };
        steps::draw(&program, &inputs, Policy::Strict, context)?;
    }
    for (test, output) in task.tests.iter().zip(&attempt.outputs) {
        let judged = match &test.output {
            Some(wanted) if wanted == output => ", right",
            Some(_) => ", wrong",
            None => "",
        };
        let blocks = [
            picture(context, "test input", &test.input, ""),
            picture(context, "output", output, judged),
        ];
        writeln!(context, "{}\n", draw::beside(&blocks, style.width).trim_end())?;
    }
    Ok(())
}

fn picture(context: &Context, label: &str, grid: &Grid, more: &str) -> Block {
    let rows = grid.rows().map(|row| row.iter().map(|c| i32::from(*c)).collect());
    let rows: Vec<Vec<i32>> = rows.collect();
    draw::grid(&context.style, &format!("{label} {}x{}{more}", grid.height(), grid.width()), &rows)
}
