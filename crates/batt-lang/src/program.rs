//! Programs: straight-line code over primitives, as a list of nodes with arguments first.
//!
//! Names and source lines stay with the nodes, so that errors and traces can point at the text, but
//! nothing depends on them: two programs with the same nodes mean the same.

use std::collections::HashMap;

use crate::constants::ConstId;
use crate::ops::Prim;
use crate::value::Value;

/// A node's place in its [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a program may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// All demo pairs of the task.
    S,
    /// The input grid.
    I,
    /// The grid that differs compare with.
    C,
}

impl Input {
    /// The letter it is written with.
    pub fn name(self) -> &'static str {
        match self {
            Input::S => "S",
            Input::I => "I",
            Input::C => "C",
        }
    }
}

/// What a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A primitive, by name.
    Prim(Prim),
    /// A function that another node computes: `x3(I)`.
    Node(NodeId),
}

/// What a node computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// S, I or C.
    Input(Input),
    /// A named constant.
    Const(ConstId),
    /// A literal: an int, a bool, None or a tuple of literals.
    Literal(Value),
    /// A primitive as a value.
    Prim(Prim),
    /// A call written in the program.
    Call {
        /// What is called.
        callee: Callee,
        /// With what.
        args: Vec<NodeId>,
    },
}

/// A node and the source line it was written on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it computes.
    pub expr: Expr,
    /// Where it was written, counted from 1.
    pub line: u32,
}

/// An assignment: the name that a node was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The variable.
    pub name: String,
    /// Its value.
    pub node: NodeId,
    /// Where it was written, counted from 1.
    pub line: u32,
}

/// The nodes of a function, arguments before their users, and the names given to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// Every node.
    pub nodes: Vec<Node>,
    /// The assignments, in source order.
    pub bindings: Vec<Binding>,
}

impl Body {
    /// The node with this id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Which nodes `roots` need: itself, its arguments, theirs and so on.
    pub fn needed(&self, roots: &[NodeId]) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        for root in roots {
            needed[root.index()] = true;
        }
        // Arguments come first, so one pass from the end sees every user before its arguments.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            if needed[at]
                && let Expr::Call { callee, args } = &node.expr
            {
                if let Callee::Node(f) = callee {
                    needed[f.index()] = true;
                }
                for arg in args {
                    needed[arg.index()] = true;
                }
            }
        }
        needed
    }

    /// Whether `root` needs an input.
    pub fn reads(&self, root: NodeId, input: Input) -> bool {
        let needed = self.needed(&[root]);
        self.nodes
            .iter()
            .zip(needed)
            .any(|(node, needed)| needed && node.expr == Expr::Input(input))
    }
}

impl Body {
    /// The part of a body that one node needs, and that node's place in it.
    pub fn part(&self, root: NodeId) -> (Body, NodeId) {
        let needed = self.needed(&[root]);
        let mut places = vec![NodeId(0); self.nodes.len()];
        let mut nodes = Vec::new();
        for (at, node) in self.nodes.iter().enumerate().filter(|(at, _)| needed[*at]) {
            places[at] = NodeId(nodes.len() as u32);
            nodes.push(Node { expr: node.expr.moved(&places), line: node.line });
        }
        let kept = self.bindings.iter().filter(|b| needed[b.node.index()]);
        let bindings = kept.map(|b| Binding { node: places[b.node.index()], ..b.clone() });
        let bindings = bindings.collect();
        (Body { nodes, bindings }, places[root.index()])
    }
}

impl Body {
    /// The part that `root` needs, with I in the place of `scored`.
    fn differ(&self, root: NodeId, scored: NodeId) -> Option<(Body, NodeId)> {
        let mut cut = self.clone();
        cut.nodes[scored.index()].expr = Expr::Input(Input::I);
        let is_input = |n: &Node| n.expr == Expr::Input(Input::I);
        let needed = cut.needed(&[root]);
        let others = (0..).zip(&cut.nodes).any(|(at, node)| {
            needed[at] && is_input(node) && at != scored.index() && !is_input(self.node(scored))
        });
        (!others).then(|| cut.part(root))
    }
}

impl Expr {
    /// The expression with its arguments where they are now.
    pub(crate) fn moved(&self, places: &[NodeId]) -> Expr {
        let Expr::Call { callee, args } = self else { return self.clone() };
        let callee = match callee {
            Callee::Node(f) => Callee::Node(places[f.index()]),
            prim @ Callee::Prim(_) => *prim,
        };
        Expr::Call { callee, args: args.iter().map(|a| places[a.index()]).collect() }
    }
}

/// A program: one function with one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The function's name.
    pub name: String,
    /// The task it is written for, if its name says so.
    pub task: Option<String>,
    /// The line of its `def`, counted from 1.
    pub line: u32,
    /// Its code.
    pub body: Body,
    /// What it returns.
    pub output: NodeId,
}

impl Program {
    /// Whether its output needs an input.
    pub fn reads(&self, input: Input) -> bool {
        self.body.reads(self.output, input)
    }
}

/// An output that a generated function declares: `o.append((slot, mutated, 'task', t))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputDecl {
    /// The number of the t-variable.
    pub slot: u32,
    /// Whether the program was changed while it was dealt.
    pub mutated: bool,
    /// The task whose program this is, or the program's name: see [`Generated::names`].
    pub task: String,
    /// The output.
    pub node: NodeId,
}

/// A score that a generated function declares: `s.append((slot, 'task' or 'None', 'differ', t))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreDecl {
    /// The number of the t-variable.
    pub slot: u32,
    /// The task whose program is scored, as its output's record has it; `None` scores the input
    /// itself.
    pub task: Option<String>,
    /// The differ's name.
    pub differ: String,
    /// The score.
    pub node: NodeId,
}

/// A function of the generated form, with many outputs and scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The function's name.
    pub name: String,
    /// The line of its `def`, counted from 1.
    pub line: u32,
    /// Its code.
    pub body: Body,
    /// The outputs it declares.
    pub outputs: Vec<OutputDecl>,
    /// The scores it declares.
    pub scores: Vec<ScoreDecl>,
}

impl Generated {
    /// Every declared output's node, then every score's.
    pub fn roots(&self) -> Vec<NodeId> {
        let outputs = self.outputs.iter().map(|o| o.node);
        outputs.chain(self.scores.iter().map(|s| s.node)).collect()
    }

    /// The name and the task of every output's program. A record names a task, or a program whose
    /// name tells its task: `solve_<task>`, `<task>#<more>`; before a `#` that comes first there is
    /// no task. Where several records are alike, the slot is added to the name.
    pub fn names(&self) -> Vec<(String, Option<String>)> {
        let mut count: HashMap<&str, usize> = HashMap::new();
        for o in &self.outputs {
            *count.entry(&o.task).or_default() += 1;
        }
        let name = |o: &OutputDecl| match (count[o.task.as_str()], o.task.strip_prefix('#')) {
            (1, Some(name)) => name.to_string(),
            (1, None) => o.task.clone(),
            _ => format!("{}#{}", o.task, o.slot),
        };
        self.outputs.iter().map(|o| (name(o), task_of_record(&o.task))).collect()
    }

    /// One program for every output, each with the nodes that it needs only, and null for C: these functions can
    /// have thousands of outputs and share a body of many thousand lines.
    pub fn programs(&self) -> Vec<Program> {
        let program = |(o, (name, task)): (&OutputDecl, _)| {
            let (mut body, output) = self.body.part(o.node);
            // Outputs are made before there is anything to compare with.
            for node in body.nodes.iter_mut().filter(|n| n.expr == Expr::Input(Input::C)) {
                node.expr = Expr::Literal(Value::Null);
            }
            Program { name, task, line: self.line, body, output }
        };
        self.outputs.iter().zip(self.names()).map(program).collect()
    }

    /// One differ for every score, taken from the output that it is for: I stands for what is
    /// scored. `None` where the differ also reads the input itself.
    pub fn differs(&self) -> Vec<Option<Program>> {
        let outputs: HashMap<&str, NodeId> =
            self.outputs.iter().rev().map(|o| (o.task.as_str(), o.node)).collect();
        let program = |s: &ScoreDecl| {
            let scored = s.task.as_deref().and_then(|task| outputs.get(task));
            let (body, output) = match scored {
                Some(scored) => self.body.differ(s.node, *scored)?,
                None => self.body.part(s.node),
            };
            Some(Program { name: s.differ.clone(), task: None, line: self.line, body, output })
        };
        self.scores.iter().map(program).collect()
    }
}

/// The task that an output's record tells.
fn task_of_record(record: &str) -> Option<String> {
    let named = record.split('#').next().filter(|name| !name.is_empty())?;
    Some(task_of(named).unwrap_or_else(|| named.to_string()))
}

/// The record that tells a program's name and its task.
pub(crate) fn record_of(name: &str, task: Option<&str>) -> String {
    match task {
        Some(_) if task_of_record(name).as_deref() == task => name.to_string(),
        Some(task) => format!("{task}#{name}"),
        None => format!("#{name}"),
    }
}

/// The task that a function's name tells.
pub(crate) fn task_of(name: &str) -> Option<String> {
    let id = name.strip_prefix("solve_").or_else(|| name.strip_prefix("verify_"))?;
    (!id.is_empty()).then(|| id.to_string())
}

/// What a `def` turns out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// One output.
    Program(Program),
    /// Many outputs and scores.
    Generated(Generated),
}
