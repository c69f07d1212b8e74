//! The pool: every distinct expression of a generation once.
//!
//! A program is the gene of its output; what it shares with its parents is there already, so a child
//! costs the expressions that are new in it. Arguments come before their users, so the order of genes
//! is an order of evaluation, and two programs are the same graph exactly when they are the same gene.
//!
//! - [`Genome`]: one program by itself, as the population, other islands and the checkpoint hold it
//! - [`Kinds`]: kinds as small numbers, with what primitives make of them remembered

mod apply;
mod bytes;
mod genome;
mod kinds;

use batt_lang::constants::ConstId;
use batt_lang::ops::Role;
use batt_lang::program::{Body, Callee, Expr, Input, Node as LangNode, NodeId};
use batt_lang::{Prim, Value};
use rustc_hash::FxHashMap as HashMap;

pub use apply::Given;
pub use genome::Genome;
pub use kinds::{KindId, Kinds, takes_rows};

/// An expression's place in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Gene(pub u32);

impl Gene {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most arguments of a node: a function that is called, and what it is given.
pub const ARGS: usize = 5;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// S, I or C.
    Input(Input),
    /// A named constant.
    Const(ConstId),
    /// A literal, by its place among the literals.
    Literal(u32),
    /// A primitive as a value.
    Prim(Prim),
    /// A call of a primitive.
    Call(Prim),
    /// A call of what the first argument is.
    Invoke,
}

/// An expression: what it is, and the places of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What it is.
    pub head: Head,
    args: [u32; ARGS],
    len: u8,
}

impl Node {
    /// A node without arguments.
    pub fn leaf(head: Head) -> Node {
        Node { head, args: [0; ARGS], len: 0 }
    }

    /// A node with arguments; more than there is room for are left out.
    pub fn new(head: Head, args: &[Gene]) -> Node {
        let mut node = Node::leaf(head);
        for (to, arg) in node.args.iter_mut().zip(args) {
            *to = arg.0;
        }
        node.len = args.len().min(ARGS) as u8;
        node
    }

    /// Its arguments.
    pub fn args(&self) -> impl ExactSizeIterator<Item = Gene> + use<> {
        let args = self.args;
        (0..usize::from(self.len)).map(move |at| Gene(args[at]))
    }

    /// How many arguments there are.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether it has no arguments.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The argument at a place.
    pub fn arg(&self, at: usize) -> Option<Gene> {
        (at < self.len()).then(|| Gene(self.args[at]))
    }

    /// The node with another argument at a place.
    #[must_use]
    pub fn with(mut self, at: usize, arg: Gene) -> Node {
        if at < self.len() {
            self.args[at] = arg.0;
        }
        self
    }

    /// The primitive that it calls.
    pub fn callee(&self) -> Option<Prim> {
        match self.head {
            Head::Call(prim) => Some(prim),
            _ => None,
        }
    }

    /// Whether it is a call.
    pub fn is_call(&self) -> bool {
        matches!(self.head, Head::Call(_) | Head::Invoke)
    }
}

/// Every distinct expression once.
#[derive(Debug, Default)]
pub struct Pool {
    nodes: Vec<Node>,
    kinds: Vec<KindId>,
    hashes: Vec<u64>,
    /// Whether an expression needs S.
    told: Vec<bool>,
    ids: HashMap<Node, Gene>,
    literals: Vec<Value>,
    /// What functions give for arguments of some kinds, by function.
    applied: HashMap<(Gene, [Given; 4]), Option<KindId>>,
    /// Kinds; they outlive the expressions.
    pub table: Kinds,
    /// Marks of the walk that is under way.
    stamps: Vec<u32>,
    stamp: u32,
    moved: Vec<Gene>,
}

impl Pool {
    /// Forgets every expression; what is known of kinds stays.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.kinds.clear();
        self.hashes.clear();
        self.told.clear();
        self.ids.clear();
        self.literals.clear();
        self.applied.clear();
        self.stamps.clear();
        self.stamp = 0;
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// An expression.
    pub fn node(&self, gene: Gene) -> Node {
        self.nodes[gene.index()]
    }

    /// The kind of what it gives.
    pub fn kind(&self, gene: Gene) -> KindId {
        self.kinds[gene.index()]
    }

    /// The hash of its graph, the same in every pool.
    pub fn hash(&self, gene: Gene) -> u64 {
        self.hashes[gene.index()]
    }

    /// Whether an expression needs the demo pairs.
    pub fn reads_pairs(&self, gene: Gene) -> bool {
        self.told[gene.index()]
    }

    /// A literal's value.
    pub fn literal(&self, at: u32) -> &Value {
        &self.literals[at as usize]
    }

    /// The gene of an expression; `None` if no kind fits it.
    pub fn add(&mut self, node: Node) -> Option<Gene> {
        if let Some(gene) = self.ids.get(&node) {
            return Some(*gene);
        }
        let kind = self.kind_of(&node)?;
        Some(self.put(node, kind))
    }

    /// The gene of an expression that someone wrote: where its kind cannot be told it may be any.
    pub fn add_written(&mut self, node: Node) -> Gene {
        if let Some(gene) = self.ids.get(&node) {
            return *gene;
        }
        let kind = self.kind_of(&node).unwrap_or(KindId::ANY);
        self.put(node, kind)
    }

    /// The gene of a literal.
    pub fn add_literal(&mut self, value: &Value) -> Gene {
        let known = self.literals.iter().position(|v| same_literal(v, value));
        let at = known.unwrap_or_else(|| {
            self.literals.push(value.clone());
            self.literals.len() - 1
        });
        self.add_written(Node::leaf(Head::Literal(at as u32)))
    }

    fn put(&mut self, node: Node, kind: KindId) -> Gene {
        let gene = Gene(self.nodes.len() as u32);
        let hash = self.hash_of(&node);
        self.nodes.push(node);
        self.kinds.push(kind);
        self.hashes.push(hash);
        let reads = node.head == Head::Input(Input::S);
        self.told.push(reads || node.args().any(|arg| self.told[arg.index()]));
        self.ids.insert(node, gene);
        gene
    }

    fn hash_of(&self, node: &Node) -> u64 {
        let head = match node.head {
            Head::Input(input) => 1 << 32 | input as u64,
            Head::Const(id) => 2 << 32 | id.index() as u64,
            Head::Literal(at) => {
                let text = format!("{:#}", self.literals[at as usize]);
                text.bytes().fold(3 << 32, |hash, byte| mix(hash ^ u64::from(byte)))
            }
            Head::Prim(prim) => 4 << 32 | (prim.op as u64) << 8 | prim.guard as u64,
            Head::Call(prim) => 5 << 32 | (prim.op as u64) << 8 | prim.guard as u64,
            Head::Invoke => 6 << 32,
        };
        node.args().fold(mix(head), |hash, arg| mix(hash.rotate_left(23) ^ self.hash(arg)))
    }

    /// What a program is made of, arguments first.
    pub fn parts(&mut self, root: Gene) -> Vec<Gene> {
        self.parts_of(std::slice::from_ref(&root))
    }

    /// What several programs are made of together, arguments first.
    pub fn parts_of(&mut self, roots: &[Gene]) -> Vec<Gene> {
        self.stamps.resize(self.nodes.len(), 0);
        self.stamp += 1;
        let mut parts: Vec<Gene> = Vec::with_capacity(roots.len() + 16);
        for root in roots {
            if self.stamps[root.index()] != self.stamp {
                self.stamps[root.index()] = self.stamp;
                parts.push(*root);
            }
        }
        let mut next = 0;
        while let Some(gene) = parts.get(next).copied() {
            next += 1;
            for arg in self.node(gene).args() {
                if self.stamps[arg.index()] != self.stamp {
                    self.stamps[arg.index()] = self.stamp;
                    parts.push(arg);
                }
            }
        }
        parts.sort_unstable();
        parts
    }

    /// The program in which `new` stands wherever `old` stood; `None` if that fits no kind. `parts`
    /// are the program's, its output last.
    pub fn replace(&mut self, parts: &[Gene], old: Gene, new: Gene) -> Option<Gene> {
        let root = *parts.last()?;
        self.stamps.resize(self.nodes.len(), 0);
        self.moved.resize(self.nodes.len(), Gene(0));
        self.stamp += 1;
        let stamp = self.stamp;
        self.stamps[old.index()] = stamp;
        self.moved[old.index()] = new;
        // Nothing before it can need it.
        let after = parts.partition_point(|gene| *gene <= old);
        for gene in &parts[after..] {
            let mut node = self.node(*gene);
            let mut changed = false;
            for arg in &mut node.args[..usize::from(node.len)] {
                if self.stamps[*arg as usize] == stamp {
                    *arg = self.moved[*arg as usize].0;
                    changed = true;
                }
            }
            if changed {
                let made = self.add(node)?;
                self.stamps[gene.index()] = stamp;
                self.moved[gene.index()] = made;
            }
        }
        let changed = self.stamps[root.index()] == stamp;
        changed.then(|| self.moved[root.index()])
    }

    /// What some programs compute, as a body, and their places in it.
    pub fn body(&mut self, roots: &[Gene]) -> (Body, Vec<NodeId>) {
        let parts = self.parts_of(roots);
        let mut places: Vec<NodeId> = vec![NodeId(0); self.nodes.len()];
        let mut nodes = Vec::with_capacity(parts.len());
        for gene in &parts {
            places[gene.index()] = NodeId(nodes.len() as u32);
            let node = &self.nodes[gene.index()];
            nodes.push(LangNode { expr: self.expr(node, |arg| places[arg.index()]), line: 1 });
        }
        let roots = roots.iter().map(|root| places[root.index()]).collect();
        (Body { nodes, bindings: Vec::new() }, roots)
    }

    fn expr(&self, node: &Node, place: impl Fn(Gene) -> NodeId) -> Expr {
        expr_of(node, &self.literals, place)
    }

    /// Whether an expression makes a function.
    pub fn makes(&self, gene: Gene) -> bool {
        match self.node(gene).head {
            Head::Prim(_) => true,
            Head::Call(prim) => prim.info().role == Role::Makes,
            _ => false,
        }
    }
}

/// A node as the language has it.
fn expr_of(node: &Node, literals: &[Value], place: impl Fn(Gene) -> NodeId) -> Expr {
    match node.head {
        Head::Input(input) => Expr::Input(input),
        Head::Const(id) => Expr::Const(id),
        Head::Literal(at) => Expr::Literal(literals[at as usize].clone()),
        Head::Prim(prim) => Expr::Prim(prim),
        Head::Call(prim) => {
            Expr::Call { callee: Callee::Prim(prim), args: node.args().map(place).collect() }
        }
        Head::Invoke => {
            let mut args: Vec<NodeId> = node.args().map(place).collect();
            let callee = Callee::Node(args.remove(0));
            Expr::Call { callee, args }
        }
    }
}

/// Equal and written alike: 1 and true are equal but say different things.
fn same_literal(a: &Value, b: &Value) -> bool {
    a == b && format!("{a:#}") == format!("{b:#}")
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ (x >> 29)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

#[cfg(test)]
mod tests;
