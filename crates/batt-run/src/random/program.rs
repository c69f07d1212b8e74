//! Random programs, directed by kinds: a pool of values in scope, and primitives whose arguments
//! the pool can fill.

use batt_lang::constants;
use batt_lang::ops::Param;
use batt_lang::program::{Binding, Body, Callee, Node};
use batt_lang::{Expr, Guard, Input, Kind, NodeId, Op, Prim, Program, Role};

use super::Rng;
use batt_lang::ops::typing::{Letters, fits, open, result};

/// What random programs look like.
#[derive(Clone, Debug)]
pub struct Options {
    /// The fewest lines; unused ones count too.
    pub least: usize,
    /// The most lines. A function that takes several lines may go a little past it.
    pub most: usize,
    /// Whether S may be read.
    pub reads_pairs: bool,
    /// How many arguments in a thousand are taken whatever their kind, so that errors occur.
    pub ill_typed: usize,
    /// How deep functions are built from functions.
    pub nesting: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { least: 3, most: 25, reads_pairs: true, ill_typed: 4, nesting: 2 }
    }
}

/// A random program over I and S. Its output is a grid where one could be made.
pub fn program(rng: &mut Rng, options: &Options) -> Program {
    let lines = rng.between(options.least, options.most.max(options.least));
    let mut builder = Builder::new(rng, options);
    let ends = lines.div_ceil(5);
    while builder.bindings.len() + ends < lines {
        builder.line(|_| true);
    }
    // Several lines that give grids, each using what is left, bring most lines to the output.
    for _ in 0..ends {
        builder.end();
    }
    while builder.bindings.len() < options.least {
        builder.end();
    }
    builder.finish()
}

/// Primitives that fail on most random values; they are drawn less often.
const FRAGILE: [Op; 9] = [
    Op::Cellwise,
    Op::AMr,
    Op::Downscale,
    Op::Extract,
    Op::Divide,
    Op::CIzN,
    Op::CZoN,
    Op::GetCommonRank,
    Op::GetArgRank,
];

/// A value in scope.
struct Item {
    node: NodeId,
    kind: Kind,
}

/// An argument that was found: the node, and the kind it has.
pub(super) type Found = (NodeId, Kind);

/// A program being built.
pub(super) struct Builder<'a, 'r> {
    pub(super) rng: &'a mut Rng<'r>,
    pub(super) options: &'a Options,
    nodes: Vec<Node>,
    bindings: Vec<Binding>,
    pool: Vec<Item>,
}

/// How far a line had come, to go back to.
pub(super) struct Mark(usize, usize);

impl<'a, 'r> Builder<'a, 'r> {
    fn new(rng: &'a mut Rng<'r>, options: &'a Options) -> Builder<'a, 'r> {
        let mut builder =
            Builder { rng, options, nodes: Vec::new(), bindings: Vec::new(), pool: Vec::new() };
        let input = builder.leaf(Expr::Input(Input::I));
        builder.pool.push(Item { node: input, kind: Kind::Grid });
        if options.reads_pairs {
            let pairs = builder.leaf(Expr::Input(Input::S));
            builder.pool.push(Item { node: pairs, kind: Kind::Pairs });
        }
        builder
    }

    pub(super) fn leaf(&mut self, expr: Expr) -> NodeId {
        let known = self.nodes.iter().position(|node| node.expr == expr);
        let at = known.unwrap_or_else(|| {
            self.nodes.push(Node { expr, line: self.next_line() });
            self.nodes.len() - 1
        });
        NodeId(at as u32)
    }

    fn next_line(&self) -> u32 {
        self.bindings.len() as u32 + 2
    }

    pub(super) fn call(&mut self, callee: Callee, args: Vec<NodeId>) -> NodeId {
        let line = self.next_line();
        let node = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { expr: Expr::Call { callee, args }, line });
        let name = format!("x{}", self.bindings.len() + 1);
        self.bindings.push(Binding { name, node, line });
        node
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.nodes.len(), self.bindings.len())
    }

    pub(super) fn back_to(&mut self, mark: &Mark) {
        self.nodes.truncate(mark.0);
        self.bindings.truncate(mark.1);
    }

    /// Adds a line whose result `wanted` likes, or, when none is found soon, nothing new.
    fn line(&mut self, wanted: impl Fn(&Kind) -> bool) -> Option<NodeId> {
        for _ in 0..60 {
            let mark = self.mark();
            let made = match self.rng.below(20) {
                0 => self.function_line(),
                1 => self.call_line(),
                _ => self.primitive_line(),
            };
            match made {
                Some((node, kind)) if wanted(&kind) => {
                    self.pool.push(Item { node, kind });
                    return Some(node);
                }
                _ => self.back_to(&mark),
            }
        }
        let input = self.pool[0].node;
        let node = self.call(Callee::Prim(Op::Identity.into()), vec![input]);
        self.pool.push(Item { node, kind: Kind::Grid });
        None
    }

    fn primitive_line(&mut self) -> Option<Found> {
        let op = *self.rng.pick(Op::ALL)?;
        // Functions have lines of their own.
        if op.info().role == Role::Makes || (FRAGILE.contains(&op) && self.rng.chance(800)) {
            return None;
        }
        let (args, kinds, letters) = self.arguments(op, &[])?;
        let kind = result(op, &kinds, &letters);
        let prim = self.suffixed(op, &kinds);
        Some((self.call(Callee::Prim(prim), args), kind))
    }

    /// Sometimes the suffixed name that fits the guarded arguments.
    fn suffixed(&mut self, op: Op, kinds: &[Kind]) -> Prim {
        let at = op.info().params.iter().position(|p| p.guarded);
        let guard = match at.map(|at| &kinds[at]) {
            Some(Kind::Object) => Guard::Object,
            Some(Kind::Indices) => Guard::Indices,
            Some(Kind::Set(_)) => Guard::Set,
            Some(Kind::Grid | Kind::Tup(_)) => Guard::Tuple,
            _ => Guard::None,
        };
        let name = format!("{}{}", op.info().name, guard.suffix());
        match Prim::named(&name) {
            Some(prim) if prim.op == op && self.rng.chance(80) => prim,
            _ => op.into(),
        }
    }

    /// A function as a line, so that later lines can use it.
    fn function_line(&mut self) -> Option<Found> {
        let at = self.rng.below(self.pool.len());
        let kind = self.pool[at].kind.clone();
        let (node, result) =
            self.function(std::slice::from_ref(&kind), &Kind::Any, self.options.nesting)?;
        Some((node, Kind::Fn(vec![kind], Box::new(result))))
    }

    /// A call of a function that a line made.
    fn call_line(&mut self) -> Option<Found> {
        let functions: Vec<usize> =
            (0..self.pool.len()).filter(|i| matches!(self.pool[*i].kind, Kind::Fn(..))).collect();
        let at = *self.rng.pick(&functions)?;
        let Kind::Fn(params, result) = self.pool[at].kind.clone() else { return None };
        let function = self.pool[at].node;
        let mut args = Vec::new();
        for param in &params {
            args.push(self.pooled(param, &mut Letters::default())?.0);
        }
        Some((self.call(Callee::Node(function), args), *result))
    }

    /// Arguments for a primitive; those in `given` are there already, by place and kind.
    pub(super) fn arguments(
        &mut self,
        op: Op,
        given: &[(usize, Found)],
    ) -> Option<(Vec<NodeId>, Vec<Kind>, Letters)> {
        let params = &op.info().params;
        let mut found: Vec<Option<Found>> = vec![None; params.len()];
        let mut letters = Letters::default();
        for (at, argument) in given {
            if !fits(&params.get(*at)?.kind, &argument.1, &mut letters) {
                return None;
            }
            found[*at] = Some(argument.clone());
        }
        // Functions last: what they are given is known by then.
        let is_function = |p: &Param| match &p.kind {
            Kind::Fn(..) => true,
            Kind::Cont(k) => matches!(**k, Kind::Fn(..)),
            _ => false,
        };
        for functions in [false, true] {
            for (at, param) in params.iter().enumerate() {
                if found[at].is_none() && is_function(param) == functions {
                    found[at] = Some(self.argument(param, &mut letters)?);
                }
            }
        }
        let (nodes, kinds) = found.into_iter().flatten().unzip();
        Some((nodes, kinds, letters))
    }

    fn argument(&mut self, param: &Param, letters: &mut Letters) -> Option<Found> {
        if self.rng.chance(self.options.ill_typed) {
            let at = self.rng.below(self.pool.len());
            let Item { node, kind } = &self.pool[at];
            let found = (*node, kind.clone());
            fits(&param.kind, &found.1, letters);
            return Some(found);
        }
        match &param.kind {
            Kind::Fn(params, wanted) => {
                let params: Vec<Kind> = params.iter().map(|p| letters.fill(p)).collect();
                let wanted = match &**wanted {
                    // Keys must compare, and ints do.
                    Kind::Any => Kind::Int,
                    other => letters.fill(other),
                };
                let (node, result) = self.function(&params, &wanted, self.options.nesting)?;
                let kind = Kind::Fn(params, Box::new(result));
                fits(&param.kind, &kind, letters).then_some((node, kind))
            }
            Kind::Cont(k) if matches!(**k, Kind::Fn(..)) => self.functions(k, letters),
            plain => {
                let constant = match plain {
                    Kind::Bool => 850,
                    _ if ["rank", "factor", "n", "orientation", "which"].contains(&param.name) => {
                        950
                    }
                    Kind::Int => 600,
                    Kind::Num | Kind::IJ => 350,
                    _ => 0,
                };
                if !self.rng.chance(constant)
                    && let Some(found) = self.pooled(plain, letters)
                {
                    return Some(found);
                }
                let found = self.constant(param.name, &letters.fill(plain))?;
                fits(plain, &found.1, letters).then_some(found)
            }
        }
    }

    /// Two functions of the same argument in a tuple, or one in a set.
    fn functions(&mut self, wanted: &Kind, letters: &mut Letters) -> Option<Found> {
        let Kind::Fn(params, result) = wanted else { return None };
        let params: Vec<Kind> = params.iter().map(|p| letters.fill(p)).collect();
        let (a, given) = self.function(&params, &letters.fill(result), 1)?;
        let kind = Kind::Fn(params.clone(), Box::new(given.clone()));
        if !fits(wanted, &kind, letters) {
            return None;
        }
        if self.rng.chance(300) {
            let node = self.call(Callee::Prim(Op::Initset.into()), vec![a]);
            return Some((node, Kind::Set(Box::new(kind))));
        }
        let (b, _) = self.function(&params, &given, 1)?;
        let node = self.call(Callee::Prim(Op::Astuple.into()), vec![a, b]);
        Some((node, Kind::Tup(Box::new(kind))))
    }

    /// A value of the pool that fits, rather one that nothing uses yet.
    pub(super) fn pooled(&mut self, want: &Kind, letters: &mut Letters) -> Option<Found> {
        let wary = !self.rng.chance(250);
        let fitting: Vec<usize> = (0..self.pool.len())
            .filter(|at| {
                let kind = &self.pool[*at].kind;
                // S and functions fit every letter; most primitives want neither.
                let odd = matches!(kind, Kind::Pairs | Kind::Fn(..))
                    && matches!(want, Kind::Var(_) | Kind::Cont(_) | Kind::Any);
                !(odd && wary) && fits(want, kind, &mut letters.clone())
            })
            .collect();
        let used = self.used();
        let fresh: Vec<usize> =
            fitting.iter().copied().filter(|at| !used[self.pool[*at].node.index()]).collect();
        let from = if !fresh.is_empty() && self.rng.chance(800) { &fresh } else { &fitting };
        let at = *self.rng.pick(from)?;
        let item = &self.pool[at];
        let found = (item.node, item.kind.clone());
        fits(want, &found.1, letters).then_some(found)
    }

    /// Which nodes are arguments of others, or inputs.
    fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            match &node.expr {
                Expr::Input(_) => used[at] = true,
                Expr::Call { callee, args } => {
                    for arg in args {
                        used[arg.index()] = true;
                    }
                    if let Callee::Node(f) = callee {
                        used[f.index()] = true;
                    }
                }
                _ => {}
            }
        }
        used
    }

    /// A constant of a plain kind that makes sense for an argument of this name.
    pub(super) fn constant(&mut self, name: &str, kind: &Kind) -> Option<Found> {
        let from = constants::fitting(name, kind);
        let id = *self.rng.pick(&from)?;
        let kind = if *kind == Kind::Num { Kind::Int } else { kind.clone() };
        Some((self.leaf(Expr::Const(id)), kind))
    }

    /// The last line: of several that give a grid, the one that the most lines lead to.
    fn end(&mut self) {
        let mut best: Option<(usize, Vec<Node>, Vec<Binding>)> = None;
        let start = self.mark();
        let items = self.pool.len();
        for _ in 0..8 {
            if self.line(|kind| *kind == Kind::Grid).is_some() {
                let body = Body { nodes: self.nodes.clone(), bindings: Vec::new() };
                let root = NodeId(self.nodes.len() as u32 - 1);
                let reached = body.needed(&[root]).into_iter().filter(|n| *n).count();
                if best.as_ref().is_none_or(|(most, ..)| reached > *most) {
                    best = Some((reached, self.nodes.clone(), self.bindings.clone()));
                }
            }
            self.back_to(&start);
            self.pool.truncate(items);
        }
        if let Some((_, nodes, bindings)) = best {
            let node = NodeId(nodes.len() as u32 - 1);
            (self.nodes, self.bindings) = (nodes, bindings);
            self.pool.push(Item { node, kind: Kind::Grid });
        } else {
            self.line(|kind| !open(kind));
        }
    }

    fn finish(self) -> Program {
        let output = self.bindings.last().map_or(NodeId(0), |b| b.node);
        let body = Body { nodes: self.nodes, bindings: self.bindings };
        Program { name: "solve_random".to_string(), task: None, line: 1, body, output }
    }
}
