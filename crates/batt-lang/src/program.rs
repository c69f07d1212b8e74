//! Programs: straight-line code over primitives, as a list of nodes with arguments first.
//!
//! Names and source lines stay with the nodes, so that errors and traces can point at the text, but
//! nothing depends on them: two programs with the same nodes mean the same.

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
    /// The task whose program this is.
    pub task: String,
    /// The output.
    pub node: NodeId,
}

/// A score that a generated function declares: `s.append((slot, 'task' or 'None', 'differ', t))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreDecl {
    /// The number of the t-variable.
    pub slot: u32,
    /// The task whose program is scored; `None` scores the input itself.
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
    /// One program for every output, named `task` or, where a task has several, `task#slot`.
    pub fn programs(&self) -> Vec<Program> {
        let alone = |task: &str| self.outputs.iter().filter(|o| o.task == task).count() == 1;
        self.outputs
            .iter()
            .map(|o| Program {
                name: if alone(&o.task) {
                    o.task.clone()
                } else {
                    format!("{}#{}", o.task, o.slot)
                },
                task: Some(o.task.clone()),
                line: self.line,
                body: self.body.clone(),
                output: o.node,
            })
            .collect()
    }
}

/// What a `def` turns out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// One output.
    Program(Program),
    /// Many outputs and scores.
    Generated(Generated),
}
