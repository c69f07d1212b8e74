//! One program by itself: its expressions, arguments first, the output last.

use batt_lang::Value;
use batt_lang::program::{Body, Callee, Expr, Node as LangNode, NodeId, Program};

use super::{Gene, Head, Node, Pool, expr_of};

/// A program by itself.
#[derive(Clone, Debug, Default)]
pub struct Genome {
    pub(super) nodes: Vec<Node>,
    pub(super) literals: Vec<Value>,
}

impl Genome {
    /// How many expressions it has, constants and inputs included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A program of a pool, by itself.
    pub fn of(pool: &mut Pool, root: Gene) -> Genome {
        let parts = pool.parts(root);
        let mut genome = Genome { nodes: Vec::with_capacity(parts.len()), literals: Vec::new() };
        for gene in &parts {
            let mut node = pool.node(*gene);
            for arg in &mut node.args[..usize::from(node.len)] {
                // Parts are in ascending order.
                *arg = parts.binary_search(&Gene(*arg)).unwrap_or(0) as u32;
            }
            if let Head::Literal(at) = &mut node.head {
                let value = pool.literal(*at).clone();
                *at = genome.literals.len() as u32;
                genome.literals.push(value);
            }
            genome.nodes.push(node);
        }
        genome
    }

    /// Puts the program into a pool.
    pub fn add_to(&self, pool: &mut Pool) -> Gene {
        let mut places: Vec<Gene> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let mut node = *node;
            for arg in &mut node.args[..usize::from(node.len)] {
                *arg = places[*arg as usize].0;
            }
            places.push(match node.head {
                Head::Literal(at) => pool.add_literal(&self.literals[at as usize]),
                _ => pool.add_written(node),
            });
        }
        places.last().copied().unwrap_or_else(|| pool.add_written(Node::leaf(INPUT)))
    }

    /// The program of this text form.
    pub fn read(program: &Program) -> Genome {
        let mut pool = Pool::default();
        let needed = program.body.needed(&[program.output]);
        let mut places = vec![Gene(0); program.body.nodes.len()];
        for (at, node) in program.body.nodes.iter().enumerate().filter(|(at, _)| needed[*at]) {
            places[at] = add_expr(&mut pool, &node.expr, &places);
        }
        Genome::of(&mut pool, places[program.output.index()])
    }

    /// As a program, without names.
    pub fn program(&self) -> Program {
        let place = |arg: Gene| NodeId(arg.0);
        let nodes: Vec<LangNode> = self
            .nodes
            .iter()
            .map(|node| LangNode { expr: expr_of(node, &self.literals, place), line: 1 })
            .collect();
        let output = NodeId(nodes.len().saturating_sub(1) as u32);
        let body = Body { nodes, bindings: Vec::new() };
        Program { name: "solve".to_string(), task: None, line: 1, body, output }
    }
}

const INPUT: Head = Head::Input(batt_lang::Input::I);

fn add_expr(pool: &mut Pool, expr: &Expr, places: &[Gene]) -> Gene {
    let place = |id: &NodeId| places[id.index()];
    let node = match expr {
        Expr::Input(input) => Node::leaf(Head::Input(*input)),
        Expr::Const(id) => Node::leaf(Head::Const(*id)),
        Expr::Literal(value) => return pool.add_literal(value),
        Expr::Prim(prim) => Node::leaf(Head::Prim(*prim)),
        Expr::Call { callee, args } => {
            let args: Vec<Gene> = args.iter().map(place).collect();
            match callee {
                Callee::Prim(prim) => Node::new(Head::Call(*prim), &args),
                Callee::Node(f) => Node::new(Head::Invoke, &[&[place(f)], &args[..]].concat()),
            }
        }
    };
    pool.add_written(node)
}
