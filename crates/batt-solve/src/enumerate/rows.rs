//! Rows: formulas run on columns of values, with the kernels of the CPU engine.

#![allow(unsafe_code)]

use batt_core::arena::Cx;
use batt_core::{Val, seq};
use batt_cpu::{Closing, Operand, Set, Task, closer, kernel, lister};
use batt_lang::Op;
use batt_run::engine::cpu::Memory;

use super::formula::{Formula, Func, Source, Step};

/// More items than these in a container, over all samples, are not looked at.
const MAX_ITEMS: usize = 3000;

/// A step of a search takes no more of the arena than this part of it.
const SLACK: usize = 8;

/// What computes columns: an arena, and the instruction set of this machine.
pub struct Machine {
    memory: Memory,
    set: Set,
    limit: usize,
}

impl Machine {
    /// A machine whose values take so many bytes at most, what is known of them included.
    pub fn new(bytes: usize) -> Machine {
        // What finds no room in the arena fails, so there is some more of it than may be kept.
        let units = u32::try_from((bytes + bytes / SLACK) / 32).unwrap_or(u32::MAX);
        Machine { memory: Memory::new(units), set: Set::detect(), limit: bytes }
    }

    /// The most bytes that values take.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Ready for a task: nothing is held.
    pub fn rows(&mut self, samples: usize) -> Rows<'_> {
        let cx = self.memory.cx();
        cx.release(0);
        Rows {
            cx,
            set: self.set,
            samples,
            steps: Vec::new(),
            items: Vec::new(),
            parents: Vec::new(),
            spans: Vec::new(),
            counted: 0,
            machine: std::marker::PhantomData,
        }
    }
}

/// Columns of a task: a row for each demo and test.
pub struct Rows<'a> {
    /// The arena.
    pub cx: Cx,
    set: Set,
    samples: usize,
    /// What each step of the formula gave.
    steps: Vec<Vec<Val>>,
    items: Vec<Val>,
    parents: Vec<u32>,
    spans: Vec<(u32, u32)>,
    counted: u64,
    machine: std::marker::PhantomData<&'a mut Machine>,
}

/// A column that a function is run on.
#[derive(Clone, Copy)]
enum Arg<'a> {
    /// A value for every row of the loop.
    Inner(&'a [Val]),
    /// A value for every sample.
    Outer(&'a [Val]),
    /// One value.
    One(Val),
}

impl Rows<'_> {
    /// The rows that were evaluated since this was last asked.
    pub fn take_counted(&mut self) -> u64 {
        std::mem::take(&mut self.counted)
    }

    /// What a formula gives for arguments, each a value for every sample; nothing where it fails for one.
    #[inline]
    pub fn run(&mut self, formula: &Formula, args: &[&[Val]]) -> Option<&[Val]> {
        let mut steps = std::mem::take(&mut self.steps);
        while steps.len() < formula.steps.len() {
            steps.push(Vec::with_capacity(self.samples));
        }
        let mut fails = false;
        for (at, step) in formula.steps.iter().enumerate() {
            let (before, rest) = steps.split_at_mut(at);
            let Some(out) = rest.first_mut() else { break };
            self.step(step, args, before, out);
            fails = out.len() != self.samples || out.iter().any(|val| val.is_bad());
            if fails {
                break;
            }
        }
        self.steps = steps;
        let given = self.steps.get(formula.steps.len().checked_sub(1)?)?;
        (!fails).then_some(given)
    }

    #[inline]
    fn step(&mut self, step: &Step, args: &[&[Val]], before: &[Vec<Val>], out: &mut Vec<Val>) {
        let arg = |source: &Source| match source {
            Source::Param(at) => Arg::Outer(args.get(*at).copied().unwrap_or(&[])),
            Source::Fixed(val) => Arg::One(*val),
            Source::Step(at) => Arg::Outer(before.get(*at).map_or(&[], |column| &column[..])),
        };
        match step {
            Step::Call(op, sources) => {
                let mut operands = [Operand::One(Val::BACK); 4];
                for (operand, source) in operands.iter_mut().zip(sources) {
                    *operand = match arg(source) {
                        Arg::One(val) => Operand::One(val),
                        Arg::Inner(column) | Arg::Outer(column) => Operand::Same(column),
                    };
                }
                self.call(*op, &operands[..sources.len().min(4)], self.samples, out);
            }
            Step::Loop(op, func, over, extra) => {
                out.clear();
                let Arg::Outer(containers) = arg(over) else { return };
                let extra = match extra.as_ref().map(arg) {
                    Some(Arg::One(val)) => Operand::One(val),
                    Some(Arg::Inner(column) | Arg::Outer(column)) => Operand::Same(column),
                    None => Operand::One(Val::BACK),
                };
                let mut items = std::mem::take(&mut self.items);
                if self.list(containers, &mut items) {
                    let results = self.func(func, &[Arg::Inner(&items)], &|source| arg(source));
                    out.resize(self.samples, Val::NULL);
                    let closing = Closing {
                        cx: self.cx,
                        slot: 0,
                        first: 0,
                        spans: &self.spans,
                        container: Operand::Same(containers),
                        extra,
                        onto: Operand::One(Val::NULL),
                        items: Operand::Same(&items),
                        items_by_place: false,
                        heap: false,
                        most: u32::MAX,
                        results: &results,
                        body: 0,
                    };
                    // SAFETY: the machine's set was detected.
                    unsafe { closer(self.set, *op, None)(&closing, out) };
                }
                self.items = items;
            }
        }
    }

    /// What a primitive gives for columns of samples.
    pub fn apply(&mut self, op: Op, args: &[&[Val]]) -> Vec<Val> {
        let operands: Vec<Operand<'_>> = args.iter().map(|column| Operand::Same(column)).collect();
        let mut out = Vec::new();
        self.call(op, &operands, self.samples, &mut out);
        out
    }

    fn call(&mut self, op: Op, operands: &[Operand<'_>], rows: usize, out: &mut Vec<Val>) {
        self.counted += rows as u64;
        let task = Task { cx: self.cx, operands, rows, slot: 0 };
        // SAFETY: the machine's set was detected.
        unsafe { kernel(op, self.set)(task, out) };
    }

    /// Lists the items of containers; whether they are containers and not too large.
    fn list(&mut self, containers: &[Val], items: &mut Vec<Val>) -> bool {
        items.clear();
        self.parents.clear();
        self.spans.clear();
        for (sample, container) in containers.iter().enumerate() {
            let Some(len) = seq::len(*container) else { return false };
            let (start, len) = (items.len(), len as usize);
            if start + len > MAX_ITEMS {
                return false;
            }
            // SAFETY: the machine's set was detected.
            unsafe { lister(self.set)(self.cx, *container, len, items) };
            if items.len() != start + len {
                return false;
            }
            self.parents.resize(items.len(), sample as u32);
            self.spans.push((start as u32, items.len() as u32));
        }
        true
    }

    /// What a function gives for columns of the loop.
    fn func<'b>(
        &mut self,
        func: &Func,
        args: &[Arg<'b>],
        outer: &dyn Fn(&Source) -> Arg<'b>,
    ) -> Vec<Val> {
        match func {
            Func::Prim(op) => {
                let mut out = Vec::new();
                let parents = std::mem::take(&mut self.parents);
                let mut operands = [Operand::One(Val::BACK); 4];
                for (operand, arg) in operands.iter_mut().zip(args) {
                    *operand = match arg {
                        Arg::One(val) => Operand::One(*val),
                        Arg::Inner(column) => Operand::Same(column),
                        Arg::Outer(column) => Operand::Via(column, &parents),
                    };
                }
                let operands = &operands[..args.len().min(4)];
                self.call(*op, operands, parents.len(), &mut out);
                self.parents = parents;
                out
            }
            Func::Compose(f, g) => {
                let inner = self.func(g, args, outer);
                self.with(f, &[Arg::Inner(&inner)], outer)
            }
            Func::Fork(f, a, b) => {
                let (a, b) = (self.func(a, args, outer), self.func(b, args, outer));
                self.with(f, &[Arg::Inner(&a), Arg::Inner(&b)], outer)
            }
            Func::Matcher(f, target) => {
                let inner = self.func(f, args, outer);
                let equality = Func::Prim(Op::Equality);
                self.with(&equality, &[Arg::Inner(&inner), outer(target)], outer)
            }
            Func::Rbind(f, fixed) => {
                let mut all = args.to_vec();
                all.push(outer(fixed));
                self.func(f, &all, outer)
            }
            Func::Lbind(f, fixed) => {
                let mut all = vec![outer(fixed)];
                all.extend_from_slice(args);
                self.func(f, &all, outer)
            }
        }
    }

    /// As [`Rows::func`], on columns that live shorter than those of the samples.
    fn with<'b>(
        &mut self,
        func: &Func,
        args: &[Arg<'_>],
        outer: &dyn Fn(&Source) -> Arg<'b>,
    ) -> Vec<Val> {
        self.func(func, args, &|source| outer(source))
    }
}
