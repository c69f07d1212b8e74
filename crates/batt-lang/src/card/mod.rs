//! card: deals programs and differs into one battery in which no expression is computed twice.
//!
//! A [`Card`] takes programs one at a time; each costs only what it adds. [`Card::deal`] turns what
//! is there into a [`Battery`].
//!
//! - `lower`: a program's nodes become terms: slots of the graph, or functions that are known
//! - `calls`: calls of primitives and of known functions, whose bodies are expanded
//! - `loops`: higher-order calls become element frames that open over a container and close
//! - `parts`: loops over a part of a container, whose bodies run in a loop over all of it
//! - `spent`: what the bodies of loops take at most
//! - `containers`, `zips`: containers of functions, known item by item or as a function of an item
//! - `rewrite`: the fusing rules, one file each, with the law that each one keeps
//! - `merge`: the same sharing on program text, for battery files
//! - `mutate`: changes programs while they are dealt

mod calls;
mod census;
mod containers;
pub mod dice;
mod loops;
mod lower;
mod merge;
pub mod mutate;
mod parts;
pub mod rewrite;
mod spent;
#[cfg(test)]
mod tests;
mod zips;

use rustc_hash::FxHashMap as HashMap;

pub use census::Census;
pub use merge::Merge;
pub use rewrite::{Fusion, Rule};

use crate::battery::{Battery, Entry, Lines, ScoreEntry};
use crate::graph::work::Finder;
use crate::graph::{FnArg, FnId, Functions, Graph, SlotId, Work};
use crate::ops::Prim;
use crate::program::{Body, Generated, NodeId, Program};

/// What happens to a call that is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// It stays an error, and so does everything that uses it.
    #[default]
    Strict,
    /// A call written in the program becomes the default of its kind.
    Safe,
}

/// How to deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What happens to errors.
    pub policy: Policy,
    /// Whether the fusing rules are used.
    pub fuse: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { policy: Policy::Strict, fuse: true }
    }
}

/// What a node is while compiling.
#[derive(Clone, Debug)]
enum Term {
    /// A value that a slot computes.
    Slot(SlotId),
    /// A function that is known.
    Fn(FnId),
    /// A pair of two values, which is made only where it is needed whole. It is an item of a container,
    /// so it can be made.
    Pair(SlotId, SlotId),
    /// A container of such functions.
    Fns {
        /// A set, or a tuple.
        set: bool,
        /// The functions.
        items: Vec<FnId>,
    },
    /// `apply(function, container)`, where the function gives a known function for every item.
    FnsOver {
        /// The container.
        container: SlotId,
        /// What makes a function of an item.
        function: FnId,
        /// Whether it cannot fail.
        sure: bool,
    },
}

/// How far the expansion of one written call has gone.
#[derive(Clone, Copy, Debug, Default)]
struct Expansion {
    /// How many calls of known functions were expanded.
    calls: u32,
    /// How many of them are open.
    depth: u32,
    /// Whether one of the bounds was passed: a function that is given itself would never end.
    over: bool,
}

impl Expansion {
    const MAX_CALLS: u32 = 4_096;
    /// Half of what the interpreter allows, so that its own limit is never met unseen.
    const MAX_DEPTH: u32 = 64;

    fn too_large(self) -> bool {
        self.over
    }

    /// Enters a call of a known function; false when it goes too far.
    fn enter(&mut self) -> bool {
        self.calls += 1;
        self.depth += 1;
        self.over |= self.calls > Expansion::MAX_CALLS || self.depth > Expansion::MAX_DEPTH;
        !self.over
    }
}

/// A higher-order call, by structure: the same call is dealt once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct LoopKey {
    prim: Prim,
    function: FnId,
    over: Vec<SlotId>,
    extra: Option<SlotId>,
    /// What the function that the body gives is called with.
    given: Option<FnArg>,
}

/// Deals programs into a battery.
#[derive(Clone, Debug, Default)]
pub struct Card {
    options: Options,
    graph: Graph,
    functions: Functions,
    loops: HashMap<LoopKey, SlotId>,
    /// Loops over all pairs of two sets that are one within the other.
    split: HashMap<LoopKey, SlotId>,
    /// What `sfilter` gave: of which container, by which condition.
    filtered: HashMap<SlotId, (SlotId, FnId)>,
    /// Functions, and containers of such, that are made at run time but known all the same.
    made: HashMap<SlotId, Term>,
    /// For each body being expanded, the loops that it runs, as often as it runs them.
    bodies: Vec<Vec<SlotId>>,
    /// For each body being expanded, what it takes.
    spent: Vec<Work>,
    /// What one body of each loop takes.
    works: HashMap<SlotId, Work>,
    expansion: Expansion,
    programs: Vec<Entry>,
    scores: Vec<ScoreEntry>,
    fusions: Vec<Fusion>,
    census: Census,
}

/// A program's place in the battery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProgramId(pub u32);

impl ProgramId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Card {
    /// An empty card.
    pub fn new(options: Options) -> Card {
        Card { options, ..Card::default() }
    }

    /// Adds a program. Costs what the program adds, whatever is there already.
    pub fn add(&mut self, program: &Program) -> ProgramId {
        self.census.add(&program.body);
        let (outputs, lines) = self.lower(&program.body, &[program.output], None);
        self.entry(program.name.clone(), program.task.clone(), false, outputs[0], lines.into())
    }

    /// Adds a program without a name for each of these nodes of one body; they come after the
    /// programs that are there. Each distinct node is lowered once, whatever shares it.
    pub fn add_outputs(&mut self, body: &Body, roots: &[NodeId]) {
        let (outputs, lines) = self.lower(body, roots, None);
        let lines: Lines = lines.into();
        for output in outputs {
            self.entry(String::new(), None, false, output, lines.clone());
        }
    }

    /// Adds a differ that scores a program's output or, without one, the input itself.
    pub fn add_score(&mut self, differ: &Program, program: Option<ProgramId>) {
        let compared = program.map(|id| self.programs[id.index()].output);
        let (values, _) = self.lower(&differ.body, &[differ.output], compared);
        self.scores.push(ScoreEntry { program, differ: differ.name.clone(), value: values[0] });
    }

    /// Adds every output and every score of a generated function. A score names the program it
    /// is for as the output's record does; the first such program is meant.
    pub fn add_generated(&mut self, generated: &Generated) {
        self.census.add(&generated.body);
        let (slots, lines) = self.lower(&generated.body, &generated.roots(), None);
        let lines: Lines = lines.into();
        let (outputs, scores) = slots.split_at(generated.outputs.len());
        let mut records: HashMap<&str, ProgramId> = HashMap::default();
        for ((o, (name, task)), slot) in
            generated.outputs.iter().zip(generated.names()).zip(outputs)
        {
            let id = self.entry(name, task, o.mutated, *slot, lines.clone());
            records.entry(&o.task).or_insert(id);
        }
        for (score, value) in generated.scores.iter().zip(scores) {
            let program = score.task.as_deref().and_then(|task| records.get(task).copied());
            self.scores.push(ScoreEntry { program, differ: score.differ.clone(), value: *value });
        }
    }

    fn entry(
        &mut self,
        name: String,
        task: Option<String>,
        mutated: bool,
        output: SlotId,
        lines: Lines,
    ) -> ProgramId {
        let id = ProgramId(self.programs.len() as u32);
        self.programs.push(Entry { name, task, mutated, output, lines });
        id
    }

    /// The programs added so far, in order.
    pub fn programs(&self) -> impl Iterator<Item = ProgramId> + use<> {
        (0..self.programs.len() as u32).map(ProgramId)
    }

    /// Marks a program as changed while it was dealt.
    pub fn mark_mutated(&mut self, id: ProgramId) {
        self.programs[id.index()].mutated = true;
    }

    /// The distinct expressions as they were written, before anything was expanded or folded.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// What the fusing rules did.
    pub fn fusions(&self) -> &[Fusion] {
        &self.fusions
    }

    /// The battery of everything added so far.
    pub fn deal(&self) -> Battery {
        let finder = Finder {
            slots: self.graph.slots(),
            frames: &self.graph.frames,
            works: &|slot| self.works.get(&slot),
        };
        let dealt = (&self.programs[..], &self.scores[..]);
        Battery::new(self.options, &self.graph, &finder, dealt, &self.fusions)
    }
}
