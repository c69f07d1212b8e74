//! Canonical form: the same text and hash for every way to write the same graph.
//!
//! Names, the order of lines, repeated lines and lines that nothing needs make no difference. What
//! is computed and from what does: `ONE` and `BLUE` stay apart, because typed mutation tells them
//! apart.

use std::fmt;

use rustc_hash::FxHashMap as HashMap;

use crate::program::{Body, Callee, Definition, Expr, Input, Node, NodeId, Program};
use crate::text;

/// The name that every canonical program has.
const NAME: &str = "solve";

/// The hash of a program's canonical text: the program's key wherever programs are kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProgramHash([u8; 32]);

impl ProgramHash {
    /// Reads 64 hexadecimal digits in lower case.
    pub fn read(hex: &str) -> Option<ProgramHash> {
        let hash = blake3::Hash::from_hex(hex).ok()?;
        (hash.to_hex().as_str() == hex).then(|| ProgramHash(*hash.as_bytes()))
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// As hexadecimal digits.
    pub fn hex(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }
}

impl fmt::Display for ProgramHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

impl fmt::Debug for ProgramHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A program in canonical form.
///
/// ```
/// use batt_lang::canonical::Canonical;
///
/// let one = Canonical::read("def a(I):\n    x = rot90(I)\n    y = flip(T)\n    O = hconcat(I, x)\n    return O\n");
/// let other = Canonical::read("def b(I):\n    return hconcat(I, rot90(I))\n");
/// assert_eq!(one.unwrap().hash(), other.unwrap().hash());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    program: Program,
    text: String,
    hash: ProgramHash,
}

impl Canonical {
    /// The canonical form of a program.
    pub fn of(program: &Program) -> Canonical {
        let (body, output) = ordered(&program.body, program.output);
        let mut program = Program { name: NAME.to_string(), task: None, line: 1, body, output };
        let text = text::print(&program);
        number_lines(&mut program);
        let hash = ProgramHash(*blake3::hash(text.as_bytes()).as_bytes());
        Canonical { program, text, hash }
    }

    /// The canonical form of the one program that a text holds; `None` if it holds none, several,
    /// or something that cannot be read.
    pub fn read(source: &str) -> Option<Canonical> {
        let module = text::parse(source);
        match (&module.definitions[..], &module.problems[..]) {
            ([Definition::Program(program)], []) => Some(Canonical::of(program)),
            _ => None,
        }
    }

    /// The program, with the lines of [`Canonical::text`].
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The hash of its text.
    pub fn hash(&self) -> ProgramHash {
        self.hash
    }

    /// What it reads and what it gives, as far as the table says: `S, I -> Grid`.
    pub fn kinds(&self) -> String {
        let Program { body, output, .. } = &self.program;
        let read = [Input::S, Input::I, Input::C].into_iter().filter(|i| self.program.reads(*i));
        let read: Vec<&str> = read.map(Input::name).collect();
        let result = crate::card::mutate::kind_of(body, *output);
        format!("{} -> {result}", if read.is_empty() { "-".to_string() } else { read.join(", ") })
    }
}

/// What `root` needs, each distinct node once, in the order in which a walk from the root leaves
/// them: a callee before its arguments, arguments from left to right.
fn ordered(body: &Body, root: NodeId) -> (Body, NodeId) {
    let mut places: Vec<Option<NodeId>> = vec![None; body.nodes.len()];
    let mut known: HashMap<Expr, NodeId> = HashMap::default();
    let mut nodes: Vec<Node> = Vec::new();
    // A node is met twice: first its arguments are put before it, then it is placed.
    let mut stack = vec![(root, false)];
    while let Some((id, ready)) = stack.pop() {
        if places[id.index()].is_some() {
            continue;
        }
        let expr = &body.node(id).expr;
        if !ready {
            stack.push((id, true));
            if let Expr::Call { callee, args } = expr {
                stack.extend(args.iter().rev().map(|arg| (*arg, false)));
                if let Callee::Node(f) = callee {
                    stack.push((*f, false));
                }
            }
            continue;
        }
        let expr = placed(expr, &places);
        let next = NodeId(nodes.len() as u32);
        let place = *known.entry(expr).or_insert_with_key(|expr| {
            nodes.push(Node { expr: expr.clone(), line: 1 });
            next
        });
        places[id.index()] = Some(place);
    }
    let root = places[root.index()].unwrap_or(NodeId(0));
    (Body { nodes, bindings: Vec::new() }, root)
}

fn placed(expr: &Expr, places: &[Option<NodeId>]) -> Expr {
    let Expr::Call { callee, args } = expr else { return expr.clone() };
    let place = |id: &NodeId| places[id.index()].unwrap_or(NodeId(0));
    let callee = match callee {
        Callee::Node(f) => Callee::Node(place(f)),
        prim @ Callee::Prim(_) => *prim,
    };
    Expr::Call { callee, args: args.iter().map(place).collect() }
}

/// Gives calls the lines that they are printed on, so that errors point at the canonical text.
fn number_lines(program: &mut Program) {
    let mut line = 1;
    for node in &mut program.body.nodes {
        if let Expr::Call { .. } = node.expr {
            line += 1;
            node.line = line;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(source: &str) -> ProgramHash {
        Canonical::read(source).unwrap().hash()
    }

    #[test]
    fn names_order_repetition_and_dead_lines_make_no_difference() {
        let plain = hash(
            "def solve_a(I):\n  x1 = vmirror(I)\n  x2 = hmirror(I)\n  O = hconcat(x1, x2)\n  return O\n",
        );
        let written = "def other(S, I, C):\n  t9 = hmirror(I)\n  t3 = rot90(t9)\n  t4 = vmirror(I)\n  \
                       t5 = vmirror(I)\n  t6 = hmirror(I)\n  return hconcat(t5, t6)\n";
        assert_eq!(plain, hash(written));
    }

    #[test]
    fn what_is_computed_makes_a_difference() {
        let texts = [
            "def a(I):\n  return hconcat(I, rot90(I))\n",
            "def a(I):\n  return hconcat(rot90(I), I)\n",
            "def a(I):\n  return fill(I, ONE, asindices(I))\n",
            "def a(I):\n  return fill(I, BLUE, asindices(I))\n",
            "def a(I):\n  return fill(I, 1, asindices(I))\n",
            "def a(I):\n  return I\n",
        ];
        let hashes: std::collections::HashSet<_> = texts.map(hash).into_iter().collect();
        assert_eq!(hashes.len(), texts.len());
    }

    #[test]
    fn canonical_text_is_its_own_canonical_text() {
        let one = Canonical::read(
            "def a(S, I):\n  f = compose(size, palette)\n  g = f(I)\n  return canvas(g, astuple(g, 3))\n",
        )
        .unwrap();
        let again = Canonical::read(one.text()).unwrap();
        assert_eq!((again.text(), again.hash()), (one.text(), one.hash()));
        assert_eq!(one.kinds(), "I -> Grid");
        assert_eq!(ProgramHash::read(&one.hash().hex()), Some(one.hash()));
        assert_eq!(ProgramHash::read(&one.hash().hex().to_uppercase()), None);
    }

    #[test]
    fn an_input_or_a_constant_is_a_program_too() {
        assert_eq!(Canonical::read("def a(I):\n  return I\n").unwrap().kinds(), "I -> Grid");
        assert!(Canonical::read("def a(I):\n  return ONE\n").unwrap().text().contains("ONE"));
        assert_eq!(Canonical::read("def a(I):\n  return b(I)\n"), None);
    }
}
