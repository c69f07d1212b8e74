//! One program on one sample, where two sides differ.

use batt_lang::card::{Card, Options, Policy};
use batt_lang::program::{Callee, Node};
use batt_lang::{Expr, Input, NodeId, Program, Value, text};
use serde_json::{Value as Json, json};

use super::{Answer, Check, Mismatch, Side, Work};
use crate::conform::codec;
use crate::engine::mark::Mark;
use crate::engine::{Phase, Sample, Setup};
use crate::reference::eval::{self, Inputs};
use crate::run::outcome::SampleId;
use crate::stop::NEVER;

/// The rows of a grid.
pub type Rows = Vec<Vec<i32>>;

/// One program on one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The program.
    pub program: Program,
    /// Programs that must be merged with it for the difference to show.
    pub with: Vec<Program>,
    /// The demo pairs.
    pub pairs: Vec<[Rows; 2]>,
    /// I.
    pub input: Rows,
    /// C, where a score differs.
    pub compared: Option<Rows>,
    /// What the sample expects of an output: its mark says how many cells match.
    pub target: Option<Rows>,
}

impl Case {
    /// The case of a mismatch, with every other program of the battery around it.
    ///
    /// A score is the differ written after its program, with the program's output for I.
    pub fn of(mismatch: &Mismatch, work: &Work) -> Case {
        let task = &work.tasks[mismatch.task];
        let rows = |grid: &crate::tasks::Grid| -> Rows {
            grid.rows().map(|row| row.iter().map(|c| i32::from(*c)).collect()).collect()
        };
        let pair = |e: &crate::tasks::Example| Some([rows(&e.input), rows(e.output.as_ref()?)]);
        let example = match mismatch.sample {
            SampleId::Demo(n) => task.demos.get(n),
            SampleId::Test(n) => task.tests.get(n),
        };
        let program = mismatch.program.and_then(|at| work.programs.get(at));
        let differ = mismatch.differ.and_then(|at| work.differs.get(at));
        let with = work.programs.iter().enumerate();
        let with = with.filter(|(at, _)| Some(*at) != mismatch.program).map(|(_, p)| p.clone());
        Case {
            program: match (program, differ) {
                (Some(program), Some(differ)) => followed_by(program, differ),
                (Some(program), None) => program.clone(),
                (None, Some(differ)) => differ.clone(),
                (None, None) => nothing(),
            },
            with: with.collect(),
            pairs: task.demos.iter().filter_map(pair).collect(),
            input: example.map(|e| rows(&e.input)).unwrap_or_default(),
            compared: differ.and(example).and_then(|e| e.output.as_ref()).map(rows),
            target: example.filter(|_| differ.is_none()).and_then(|e| e.output.as_ref()).map(rows),
        }
    }

    fn values(&self) -> [Value; 2] {
        let pair = |[a, b]: &[Rows; 2]| Value::tuple(vec![Value::grid(a), Value::grid(b)]);
        let pairs = Value::tuple(self.pairs.iter().map(pair).collect());
        [pairs, Value::grid(&self.input)]
    }

    /// Whether the two sides differ on it, or one of them marks what it gives otherwise than it is.
    pub fn differs(&self, check: &Check) -> bool {
        let [(left, left_mark), (right, right_mark)] =
            [check.left, check.right].map(|side| self.given(side, check.policy));
        let wanted = left.mark(self.target.as_ref().map(|rows| Value::grid(rows)).as_ref());
        left != right || [left_mark, right_mark].into_iter().flatten().any(|mark| mark != wanted)
    }

    /// What a side gives for the program.
    pub fn answer(&self, side: Side, policy: Policy) -> Answer {
        self.given(side, policy).0
    }

    /// What a side gives for the program, and how it marks that; `None` where nothing marks it.
    pub fn given(&self, side: Side, policy: Policy) -> (Answer, Option<Mark>) {
        let [s, i] = self.values();
        let [c, expected] =
            [&self.compared, &self.target].map(|rows| rows.as_ref().map(|rows| Value::grid(rows)));
        let alone = || -> Answer {
            eval::run(&self.program, &Inputs { s: &s, i: &i, c: c.as_ref() }, policy).into()
        };
        let Side::Merged { engine, fuse } = side else { return (alone(), None) };
        let mut card = Card::new(Options { policy, fuse });
        self.with.iter().chain([&self.program]).for_each(|program| {
            card.add(program);
        });
        let battery = card.deal();
        let tasks = [s.clone()];
        let setup = Setup {
            battery: &battery,
            phase: Phase::Outputs,
            tasks: &tasks,
            timed: false,
            verdicts: false,
            stop: &NEVER,
        };
        let sample = [Sample { task: 0, input: i.clone(), compared: c.clone(), expected }];
        let loaded = engine.load(setup);
        let (rows, _) = loaded.run(&sample);
        let cell = rows.first().and_then(|row| row.last());
        let answer = cell.and_then(Answer::of).unwrap_or_else(alone);
        (answer, loaded.marks(&sample).0.into_iter().flatten().last().flatten())
    }

    /// The conformance record: what the interpreter gives. Fields that are not needed are left
    /// out: `pairs` (S), `compared` (C), `target`, `policy` and `with`.
    pub fn record(&self, id: &str, policy: Policy) -> Json {
        let [s, i] = self.values();
        let c = self.compared.as_ref().map(|rows| Value::grid(rows));
        let mut record =
            json!({"id": id, "source": text::print(&self.program), "input": self.input});
        match eval::run(&self.program, &Inputs { s: &s, i: &i, c: c.as_ref() }, policy) {
            Ok(value) => record["out"] = codec::encode(&value),
            Err(trouble) => record["error"] = json!(trouble.fault.kind.name()),
        }
        if !self.pairs.is_empty() {
            record["pairs"] = json!(self.pairs);
        }
        if let Some(compared) = &self.compared {
            record["compared"] = json!(compared);
        }
        if let Some(target) = &self.target {
            record["target"] = json!(target);
        }
        if policy == Policy::Safe {
            record["policy"] = json!("safe");
        }
        if !self.with.is_empty() {
            record["with"] = self.with.iter().map(text::print).collect();
        }
        record
    }
}

/// A program that reads I and gives it back.
fn nothing() -> Program {
    let mut program = Program {
        name: "solve".to_string(),
        task: None,
        line: 1,
        body: batt_lang::program::Body::default(),
        output: NodeId(0),
    };
    program.body.nodes.push(Node { expr: Expr::Input(Input::I), line: 2 });
    program
}

/// The differ written after its program.
fn followed_by(program: &Program, differ: &Program) -> Program {
    let mut all = program.clone();
    let start = all.body.nodes.len() as u32;
    let mut places: Vec<NodeId> = Vec::with_capacity(differ.body.nodes.len());
    for node in &differ.body.nodes {
        if node.expr == Expr::Input(Input::I) {
            places.push(program.output);
            continue;
        }
        let mut node = node.clone();
        node.line += start;
        if let Expr::Call { callee, args } = &mut node.expr {
            if let Callee::Node(f) = callee {
                *f = places[f.index()];
            }
            for arg in args {
                *arg = places[arg.index()];
            }
        }
        places.push(NodeId(all.body.nodes.len() as u32));
        all.body.nodes.push(node);
    }
    all.output = places[differ.output.index()];
    all.body.bindings.clear();
    all
}
