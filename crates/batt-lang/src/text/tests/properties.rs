//! Random programs come back as they were printed; random text does no harm.

use std::collections::HashMap;

use proptest::prelude::*;

use super::{print_all, program};
use crate::constants;
use crate::ops::Prim;
use crate::program::{Body, Callee, Expr, Input, Node, NodeId, Program};
use crate::text::{parse, parse_bytes, parse_expression, print};
use crate::value::Value;

fn literal() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i32>().prop_map(Value::Int),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
    ];
    leaf.prop_recursive(3, 12, 4, |item| prop::collection::vec(item, 0..4).prop_map(Value::tuple))
}

fn prim(choice: usize) -> Prim {
    let mut all: Vec<Prim> = Prim::names().map(|(_, prim)| prim).collect();
    all.sort();
    all[choice % all.len()]
}

#[derive(Clone, Debug)]
enum Step {
    Leaf(u8, usize, Value),
    Call(usize, Vec<usize>),
    CallNode(usize, Vec<usize>),
}

fn step() -> impl Strategy<Value = Step> {
    let picks = || prop::collection::vec(any::<usize>(), 4);
    prop_oneof![
        (any::<u8>(), any::<usize>(), literal()).prop_map(|(a, b, c)| Step::Leaf(a, b, c)),
        (any::<usize>(), picks()).prop_map(|(p, args)| Step::Call(p, args)),
        (any::<usize>(), picks()).prop_map(|(f, args)| Step::CallNode(f, args)),
    ]
}

fn build(steps: Vec<Step>) -> Program {
    let mut body = Body::default();
    let mut push = |expr| body.nodes.push(Node { expr, line: 1 });
    push(Expr::Input(Input::I));
    for (count, step) in (1..).zip(steps) {
        let pick = |n: usize| NodeId((n % count) as u32);
        push(match step {
            Step::Leaf(0..64, n, _) => Expr::Input([Input::S, Input::I, Input::C][n % 3]),
            Step::Leaf(64..128, n, _) => {
                let all: Vec<_> = constants::all().collect();
                Expr::Const(all[n % all.len()].0)
            }
            Step::Leaf(128..192, n, _) => Expr::Prim(prim(n)),
            Step::Leaf(_, _, value) => Expr::Literal(value),
            Step::Call(p, args) => {
                let args = args.into_iter().take(prim(p).arity()).map(pick).collect();
                Expr::Call { callee: Callee::Prim(prim(p)), args }
            }
            Step::CallNode(f, args) => {
                let args = args.into_iter().take(f % 4).map(pick).collect();
                Expr::Call { callee: Callee::Node(pick(f)), args }
            }
        });
    }
    let output = NodeId(body.nodes.len() as u32 - 1);
    Program { name: "solve_x".into(), task: Some("x".into()), line: 1, body, output }
}

/// What the output needs, every distinct expression once: equal for equal graphs.
fn live(program: &Program) -> Vec<Expr> {
    let needed = program.body.needed(&[program.output]);
    let (mut ids, mut seen, mut out) = (HashMap::new(), HashMap::new(), Vec::new());
    // Leaves first: where they stand says nothing.
    let nodes = || program.body.nodes.iter().enumerate().filter(|(at, _)| needed[*at]);
    let call = |node: &Node| matches!(node.expr, Expr::Call { .. });
    let mut leaves: Vec<_> = nodes().filter(|(_, node)| !call(node)).collect();
    leaves.sort_by_key(|(_, node)| format!("{:?}", node.expr));
    for (at, node) in leaves.into_iter().chain(nodes().filter(|(_, node)| call(node))) {
        let mut expr = node.expr.clone();
        if let Expr::Call { callee, args } = &mut expr {
            for arg in args.iter_mut() {
                *arg = ids[arg];
            }
            if let Callee::Node(f) = callee {
                *f = ids[f];
            }
        }
        let id = *seen.entry(expr.clone()).or_insert_with(|| {
            out.push(expr);
            NodeId(out.len() as u32 - 1)
        });
        ids.insert(NodeId(at as u32), id);
    }
    out
}

proptest! {
    #[test]
    fn printing_and_reading_are_inverse(steps in prop::collection::vec(step(), 0..40)) {
        let first = build(steps);
        let text = print(&first);
        let second = program(&text);
        prop_assert_eq!(print(&second), text);
        prop_assert_eq!(live(&second), live(&first));
        prop_assert_eq!((second.name, second.task), (first.name, first.task));
    }

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for problem in parse_bytes(&bytes).problems {
            problem.render("x", &String::from_utf8_lossy(&bytes), true);
        }
    }

    #[test]
    fn words_never_panic(words in prop::collection::vec(0..WORDS.len(), 0..80), tail in ".{0,8}") {
        let source: String = words.iter().map(|at| WORDS[*at]).chain([tail.as_str()]).collect();
        check(&source);
        check(&format!("def f(I):\n    {source}"));
    }

    #[test]
    fn mutated_text_never_panics(cuts in prop::collection::vec((any::<usize>(), any::<usize>(), any::<char>()), 1..6)) {
        let mut source = SAMPLE.to_string();
        for (at, length, with) in cuts {
            let chars: Vec<char> = source.chars().collect();
            let at = at % (chars.len() + 1);
            let end = (at + length % 12).min(chars.len());
            source = chars[..at].iter().chain(&[with]).chain(&chars[end..]).collect();
        }
        check(&source);
    }
}

const WORDS: [&str; 44] = [
    "def ",
    "f",
    "(",
    ")",
    "I",
    ":",
    "\n",
    "    ",
    "\t",
    "\n    ",
    "\n        ",
    "x",
    " = ",
    "return ",
    ",",
    "size",
    "5",
    "-",
    "'",
    "\"\"\"",
    "try:",
    "except:",
    "o",
    "s",
    ".append",
    "[]",
    "[",
    "]",
    "{",
    ";",
    "\\\n",
    "#",
    "@",
    "*",
    "lambda ",
    "for ",
    "if ",
    "T",
    "0x",
    "1e",
    "\u{feff}",
    "é",
    "->",
    "o.append((1, False, 'a', I))",
];

const SAMPLE: &str = "\
def a(S, I: Grid, C) -> Grid:
    '''doc'''
    x1 = fill(I, ONE, ofcolor(I, value=TWO)); x2 = (x1, (1, -2))
    return compose(size, palette)(x2)
def batt(task_id, S, I, C, log_path):
    s = []; o = []
    try:
        t1 = hmirror(I)
    except:
        t1 = 0
    o.append((1, False, 'a', t1))
    return o, s
";

/// Whatever can be read prints to something that reads and prints the same; problems can be shown.
fn check(source: &str) {
    let module = parse(source);
    for problem in &module.problems {
        assert!(problem.render("x", source, false).contains("x:"));
        assert!(source.get(problem.span.start..problem.span.end).is_some());
    }
    let text = print_all(&module);
    if !module.definitions.is_empty() {
        let again = parse(&text);
        assert_eq!(again.problems, [], "{text}");
        assert_eq!(print_all(&again), text);
    }
    let _ = parse_expression(source);
}
