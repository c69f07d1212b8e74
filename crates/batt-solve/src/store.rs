//! Expressions of one task, each held once, so that rules, views and answers can share their parts.

use batt_lang::constants::ConstId;
use batt_lang::program::{Body, Callee, Expr, Input, Node, NodeId, Program};
use batt_lang::text;
use batt_lang::{Op, Prim, Value};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Expressions over the input grid, arguments first.
#[derive(Clone, Debug)]
pub struct Store {
    body: Body,
    places: HashMap<Expr, NodeId>,
}

/// What stands for I and C where an expression is put into a store.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// In the place of I.
    pub input: NodeId,
    /// In the place of C.
    pub container: Option<NodeId>,
}

impl Given {
    /// A grid in the place of I.
    pub fn grid(input: NodeId) -> Given {
        Given { input, container: None }
    }
}

impl Default for Store {
    fn default() -> Store {
        let mut store = Store { body: Body::default(), places: HashMap::default() };
        store.add(Expr::Input(Input::I));
        store
    }
}

impl Store {
    /// The input grid, in every store.
    pub const INPUT: NodeId = NodeId(0);

    /// The expressions.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// An expression whose arguments are here.
    pub fn add(&mut self, expr: Expr) -> NodeId {
        let next = NodeId(self.body.nodes.len() as u32);
        let place = *self.places.entry(expr.clone()).or_insert(next);
        if place == next {
            self.body.nodes.push(Node { expr, line: 1 });
        }
        place
    }

    /// An int, by its name where it has one.
    pub fn int(&mut self, n: i32) -> NodeId {
        const NAMES: [&str; 11] =
            ["ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"];
        let name = usize::try_from(n).ok().and_then(|n| NAMES.get(n));
        match name.and_then(|name| ConstId::named(name)) {
            Some(id) => self.add(Expr::Const(id)),
            None => self.value(Value::Int(n)),
        }
    }

    /// A value that is written out.
    pub fn value(&mut self, value: Value) -> NodeId {
        self.add(Expr::Literal(value))
    }

    /// A primitive as a value.
    pub fn prim(&mut self, op: Op) -> NodeId {
        self.add(Expr::Prim(Prim::from(op)))
    }

    /// A call of a primitive.
    pub fn call(&mut self, op: Op, args: &[NodeId]) -> NodeId {
        self.add(Expr::Call { callee: Callee::Prim(Prim::from(op)), args: args.to_vec() })
    }

    /// Puts an expression of another body here, with other values for its inputs.
    pub fn graft(&mut self, body: &Body, root: NodeId, given: Given) -> NodeId {
        self.fill_in(body, root, &|input| match input {
            Input::I => Some(given.input),
            Input::C => Some(given.container.unwrap_or(given.input)),
            Input::S => None,
        })
    }

    /// Puts an expression of another body here, with what is told for its inputs; others stay.
    pub fn fill_in(
        &mut self,
        body: &Body,
        root: NodeId,
        given: &dyn Fn(Input) -> Option<NodeId>,
    ) -> NodeId {
        // Bodies are large and expressions small, so only what the expression needs is looked at.
        let mut places: HashMap<NodeId, NodeId> = HashMap::default();
        let mut open = vec![root];
        while let Some(&at) = open.last() {
            if places.contains_key(&at) {
                open.pop();
                continue;
            }
            let node = &body.nodes[at.index()];
            let missing = arguments(&node.expr).filter(|arg| !places.contains_key(arg));
            let before = open.len();
            open.extend(missing);
            if open.len() > before {
                continue;
            }
            let place = match &node.expr {
                Expr::Input(input) => {
                    given(*input).unwrap_or_else(|| self.add(Expr::Input(*input)))
                }
                Expr::Call { callee, args } => {
                    let callee = match callee {
                        Callee::Node(f) => Callee::Node(places[f]),
                        Callee::Prim(prim) => Callee::Prim(*prim),
                    };
                    let args = args.iter().map(|arg| places[arg]).collect();
                    self.add(Expr::Call { callee, args })
                }
                other => self.add(other.clone()),
            };
            places.insert(at, place);
        }
        places[&root]
    }

    /// Reads an expression over I and C.
    pub fn read(&mut self, source: &str, given: Given) -> Result<NodeId, String> {
        let program = text::parse_expression(source).map_err(|problems| {
            problems.first().map_or_else(String::new, |problem| problem.message.clone())
        })?;
        Ok(self.graft(&program.body, program.output, given))
    }

    /// An expression as a program for a task.
    pub fn program(&self, root: NodeId, task: &str) -> Program {
        let (body, output) = self.body.part(root);
        Program {
            name: format!("solve_{task}"),
            task: Some(task.to_string()),
            line: 1,
            body,
            output,
        }
    }

    /// How many calls an expression has, each distinct one counted once.
    pub fn calls(&self, root: NodeId) -> usize {
        let mut seen: HashSet<NodeId> = HashSet::default();
        let (mut open, mut calls) = (vec![root], 0);
        while let Some(at) = open.pop() {
            if seen.insert(at) {
                let expr = &self.body.nodes[at.index()].expr;
                calls += usize::from(matches!(expr, Expr::Call { .. }));
                open.extend(arguments(expr));
            }
        }
        calls
    }
}

/// What an expression is made of.
fn arguments(expr: &Expr) -> impl Iterator<Item = NodeId> + '_ {
    let (callee, args): (Option<NodeId>, &[NodeId]) = match expr {
        Expr::Call { callee: Callee::Node(f), args } => (Some(*f), args),
        Expr::Call { args, .. } => (None, args),
        _ => (None, &[]),
    };
    callee.into_iter().chain(args.iter().copied())
}
