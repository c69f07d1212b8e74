//! A census of programs as they are written: distinct call expressions by plain hash-consing,
//! constants by name, unused lines included. It is what merging is measured against.

use rustc_hash::FxHashMap as HashMap;

use crate::ops::Prim;
use crate::program::{Body, Callee, Expr};

/// An expression's place in the census.
type Id = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Leaf(Expr),
    Prim(Prim, Vec<Id>),
    Value(Id, Vec<Id>),
}

/// Counts of what was written.
#[derive(Clone, Debug, Default)]
pub struct Census {
    ids: HashMap<Key, Id>,
    programs: usize,
    lines: usize,
    calls: usize,
}

impl Census {
    /// Counts one program.
    pub fn add(&mut self, body: &Body) {
        self.programs += 1;
        self.lines += body.bindings.len();
        let mut ids: Vec<Id> = Vec::with_capacity(body.nodes.len());
        for node in &body.nodes {
            let key = match &node.expr {
                Expr::Call { callee, args } => {
                    let args = args.iter().map(|a| ids[a.index()]).collect();
                    match callee {
                        Callee::Prim(prim) => Key::Prim(*prim, args),
                        Callee::Node(f) => Key::Value(ids[f.index()], args),
                    }
                }
                leaf => Key::Leaf(leaf.clone()),
            };
            let call = !matches!(key, Key::Leaf(_));
            let next = self.ids.len() as Id;
            let id = *self.ids.entry(key).or_insert(next);
            self.calls += usize::from(call && id == next);
            ids.push(id);
        }
    }

    /// How many programs were counted.
    pub fn programs(&self) -> usize {
        self.programs
    }

    /// How many lines assign a variable.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// How many distinct call expressions there are.
    pub fn expressions(&self) -> usize {
        self.calls
    }
}
