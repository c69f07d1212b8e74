//! Bytes as choices: each choice that makes a random program, grid or value is made by the next byte, so
//! every input is a valid one, and a changed byte changes it in one place.

use std::sync::OnceLock;

use batt_lang::card::Policy;
use batt_lang::{Op, Program, text};
use batt_run::engine::Engine;
use batt_run::engine::cpu::Cpu;
use batt_run::engine::reference::Reference;
use batt_run::random::{self, Options, Rng};
use batt_run::reference::Machine;
use batt_run::run::plan::{Pair, Plan};
use batt_run::tasks::Task;
use batt_run::verify::{Check, Side, Work, compare};

/// As many programs make a battery at most.
const MOST: usize = 6;

/// One engine for all runs, so that they share its memory.
static CPU: OnceLock<Cpu> = OnceLock::new();

/// Any primitive on any values: it must not panic. The first byte is the primitive.
pub fn primitives(bytes: &[u8]) {
    let [op, rest @ ..] = bytes else { return };
    let op = Op::ALL[usize::from(*op) % Op::ALL.len()];
    // Each argument has bytes of its own.
    let each = rest.len().div_ceil(op.arity().max(1)).max(1);
    let parts = rest.chunks(each).chain(std::iter::repeat(&[][..]));
    let args: Vec<_> =
        parts.take(op.arity()).map(|bytes| random::value(&mut Rng::of_bytes(bytes))).collect();
    let _ = Machine::default().prim(op.into(), &args);
}

/// Random programs: merged must equal alone under both policies, fused and unfused.
pub fn battery(bytes: &[u8]) {
    let subject = Subject::of(bytes);
    for fuse in [true, false] {
        let right = Side::Merged { engine: &Reference, fuse };
        subject.compare(Side::Alone, right);
    }
}

/// Random programs: the cpu engine gives what the reference engine gives, under both policies.
pub fn engines(bytes: &[u8]) {
    let side = |engine| -> Side<'_> { Side::Merged { engine, fuse: true } };
    let cpu: &dyn Engine = CPU.get_or_init(Cpu::default);
    Subject::of(bytes).compare(side(&Reference), side(cpu));
}

/// What bytes choose.
pub struct Subject {
    /// Some programs: the first is new, and each other one may be an earlier one with changes.
    pub programs: Vec<Program>,
    /// A task to run them on.
    pub task: Task,
}

impl Subject {
    /// The first byte says how many programs there are. A quarter of the others choose the task; the
    /// programs share the rest in equal parts, so that a byte in the middle changes one program.
    pub fn of(bytes: &[u8]) -> Subject {
        let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
        let (for_task, for_programs) = rest.split_at(rest.len() / 4);
        let count = 1 + usize::from(*first) % MOST;
        let each = for_programs.len().div_ceil(count).max(1);
        let mut parts = for_programs.chunks(each);
        let options = Options { least: 1, most: 12, ..Options::default() };
        let mut programs: Vec<Program> = Vec::new();
        for at in 0..count {
            let mut rng = Rng::of_bytes(parts.next().unwrap_or_default());
            let mut program = random::next(&mut rng, &programs, &options);
            program.name = format!("solve_random{at}");
            programs.push(program);
        }
        Subject { programs, task: random::task(&mut Rng::of_bytes(for_task)) }
    }

    fn compare(&self, left: Side<'_>, right: Side<'_>) {
        let pairs = (0..self.programs.len()).map(|program| Pair { program, task: 0 }).collect();
        let plan = Plan { pairs, ..Plan::default() };
        let tasks = std::slice::from_ref(&self.task);
        let work = Work { programs: &self.programs, differs: &[], tasks, plan: &plan };
        for policy in [Policy::Strict, Policy::Safe] {
            let report = compare(&Check { left, right, policy }, &work, &|| {});
            if let Some(first) = report.first {
                let program = first.program.map(|at| text::print(&self.programs[at]));
                panic!("{policy:?}: {first:?}\n{}", program.unwrap_or_default());
            }
        }
    }
}
