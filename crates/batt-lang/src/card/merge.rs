//! Merging on text: programs and differs as one generated function, each distinct call once.
//!
//! This is what a battery file holds. Nothing is expanded or folded here, so the text stays as
//! readable as the programs were, and reading it back gives every program's own expressions.

use std::collections::HashSet;

use rustc_hash::FxHashMap as HashMap;

use crate::program::{
    Body, Expr, Generated, Input, Node, NodeId, OutputDecl, Program, ScoreDecl, record_of,
};
use crate::text;

/// Merges programs into one generated function.
#[derive(Clone, Debug, Default)]
pub struct Merge {
    nodes: Vec<Node>,
    ids: HashMap<Expr, NodeId>,
    outputs: Vec<OutputDecl>,
    scores: Vec<ScoreDecl>,
    records: HashSet<String>,
}

impl Merge {
    /// Adds a program; gives its place among the outputs.
    pub fn add(&mut self, program: &Program, mutated: bool) -> usize {
        let places = self.nodes_of(&program.body, &[program.output], None);
        let record = self.unique(record_of(&program.name, program.task.as_deref()));
        let node = places[program.output.index()];
        self.outputs.push(OutputDecl { slot: 0, mutated, task: record, node });
        self.outputs.len() - 1
    }

    /// Adds a differ that scores the output at a place or, without one, the input itself.
    pub fn add_score(&mut self, differ: &Program, of: Option<usize>) {
        let output = of.and_then(|at| self.outputs.get(at));
        let (compared, task) = (output.map(|o| o.node), output.map(|o| o.task.clone()));
        let places = self.nodes_of(&differ.body, &[differ.output], compared);
        let (differ, node) = (differ.name.clone(), places[differ.output.index()]);
        self.scores.push(ScoreDecl { slot: 0, task, differ, node });
    }

    /// Adds every output and every score of a generated function.
    pub fn add_generated(&mut self, generated: &Generated) {
        let places = self.nodes_of(&generated.body, &generated.roots(), None);
        let mut renamed: HashMap<&str, String> = HashMap::default();
        for (o, (name, task)) in generated.outputs.iter().zip(generated.names()) {
            let record = self.unique(record_of(&name, task.as_deref()));
            renamed.entry(&o.task).or_insert_with(|| record.clone());
            let node = places[o.node.index()];
            self.outputs.push(OutputDecl { slot: 0, mutated: o.mutated, task: record, node });
        }
        for s in &generated.scores {
            // A score of a program that is not there keeps the name it has.
            let task = s.task.as_ref().map(|t| renamed.get(t.as_str()).unwrap_or(t).clone());
            let (differ, node) = (s.differ.clone(), places[s.node.index()]);
            self.scores.push(ScoreDecl { slot: 0, task, differ, node });
        }
    }

    /// The generated function.
    pub fn finish(self) -> Generated {
        let Merge { nodes, outputs, scores, .. } = self;
        let body = Body { nodes, bindings: Vec::new() };
        let mut generated = Generated { name: "batt".to_string(), line: 1, body, outputs, scores };
        text::renumber(&mut generated);
        generated
    }

    /// Merges what some roots need; gives where each node went. `compared` stands in for I.
    fn nodes_of(&mut self, body: &Body, roots: &[NodeId], compared: Option<NodeId>) -> Vec<NodeId> {
        let needed = body.needed(roots);
        let mut places = vec![NodeId(0); body.nodes.len()];
        for (at, node) in body.nodes.iter().enumerate().filter(|(at, _)| needed[*at]) {
            if let (Expr::Input(Input::I), Some(output)) = (&node.expr, compared) {
                places[at] = output;
                continue;
            }
            let expr = node.expr.moved(&places);
            let next = NodeId(self.nodes.len() as u32);
            places[at] = *self.ids.entry(expr).or_insert_with_key(|expr| {
                self.nodes.push(Node { expr: expr.clone(), line: node.line });
                next
            });
        }
        places
    }

    /// A record that no other output has.
    fn unique(&mut self, record: String) -> String {
        let more = (2..).map(|n| format!("{record}#{n}"));
        let mut tried = std::iter::once(record.clone()).chain(more);
        let free = tried.find(|name| !self.records.contains(name)).unwrap_or(record);
        self.records.insert(free.clone());
        free
    }
}
