//! Canonical text: one call per line in t-variables, only what the outputs need.

use std::collections::HashMap;
use std::fmt::Write;

use crate::program::{Body, Callee, Expr, Generated, Input, NodeId, Program, task_of};

use super::hints;

/// A program as canonical text. Reading it back gives the same graph, and printing that the same
/// text.
pub fn print(program: &Program) -> String {
    let alone = [Input::S, Input::C].iter().all(|input| !program.reads(*input));
    let params = if alone { "I" } else { "S, I, C" };
    let mut printer = Printer::new(&program.body);
    printer.line(format_args!("def {}({params}):", function_name(program)));
    printer.calls(&[program.output]);
    let output = printer.operand(program.output);
    printer.line(format_args!("    return {output}"));
    printer.out
}

/// A function of the generated form as canonical text.
pub fn print_generated(generated: &Generated) -> String {
    let mut printer = Printer::new(&generated.body);
    let name = if is_name(&generated.name) { &generated.name } else { "batt" };
    printer.line(format_args!("def {name}(task_id, S, I, C, log_path):"));
    printer.line(format_args!("    s = []"));
    printer.line(format_args!("    o = []"));
    printer.calls(&generated.roots());
    for o in &generated.outputs {
        let mutated = if o.mutated { "True" } else { "False" };
        let (task, value) = (quote(&o.task), printer.operand(o.node));
        printer.line(format_args!("    o.append(({}, {mutated}, {task}, {value}))", o.slot));
    }
    for s in &generated.scores {
        let task = quote(s.task.as_deref().unwrap_or("None"));
        let (differ, value) = (quote(&s.differ), printer.operand(s.node));
        printer.line(format_args!("    s.append(({}, {task}, {differ}, {value}))", s.slot));
    }
    printer.line(format_args!("    return o, s"));
    printer.out
}

/// The same function over whole columns: every variable holds the values of all samples, and every line is one
/// call over them. Runs in Python, on the package batt.
pub fn print_batched(generated: &Generated) -> String {
    let mut printer = Printer { plural: "s", ..Printer::new(&generated.body) };
    printer.line(format_args!("from batt.batch import *\n\n"));
    printer.line(format_args!("def batt_batch(task_ids, Ss, Is, Cs, log_paths):"));
    printer.line(format_args!("    Ss, Is, Cs = columns(Ss, Is, Cs)"));
    printer.line(format_args!("    s = []"));
    printer.line(format_args!("    o = []"));
    printer.calls(&generated.roots());
    // What reads no input is one value; it is given for every sample.
    let inputs = [Input::S, Input::I, Input::C];
    let column = |printer: &Printer, node: NodeId| {
        let value = printer.operand(node);
        let varies = inputs.iter().any(|input| generated.body.reads(node, *input));
        if varies { value } else { format!("spread({value}, Is)") }
    };
    for o in &generated.outputs {
        let mutated = if o.mutated { "True" } else { "False" };
        let (task, value) = (quote(&o.task), column(&printer, o.node));
        printer.line(format_args!("    o.append(({}, {mutated}, {task}, {value}))", o.slot));
    }
    for s in &generated.scores {
        let task = quote(s.task.as_deref().unwrap_or("None"));
        let (differ, value) = (quote(&s.differ), column(&printer, s.node));
        printer.line(format_args!("    s.append(({}, {task}, {differ}, {value}))", s.slot));
    }
    printer.line(format_args!("    return o, s"));
    printer.out
}

/// Gives every declared output and score the number of the t-variable that it is printed with; 0
/// where an input or a constant is declared.
pub fn renumber(generated: &mut Generated) {
    let mut printer = Printer::new(&generated.body);
    printer.calls(&generated.roots());
    let numbers = printer.numbers;
    let number = |node: NodeId| numbers.get(&node).copied().unwrap_or(0);
    for o in &mut generated.outputs {
        o.slot = number(o.node);
    }
    for s in &mut generated.scores {
        s.slot = number(s.node);
    }
}

struct Printer<'a> {
    body: &'a Body,
    /// The number of each printed call.
    numbers: HashMap<NodeId, u32>,
    /// Leaves that are called need a variable: `5(I)` cannot be written.
    called: HashMap<&'a Expr, u32>,
    count: u32,
    /// What variables and inputs end in: nothing, or `s` where they hold columns.
    plural: &'static str,
    out: String,
}

impl<'a> Printer<'a> {
    fn new(body: &'a Body) -> Printer<'a> {
        Printer {
            body,
            numbers: HashMap::new(),
            called: HashMap::new(),
            count: 0,
            plural: "",
            out: String::new(),
        }
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{text}");
    }

    fn next(&mut self) -> u32 {
        self.count += 1;
        self.count
    }

    fn calls(&mut self, roots: &[NodeId]) {
        let body = self.body;
        let needed = body.needed(roots);
        for (at, node) in body.nodes.iter().enumerate().filter(|(at, _)| needed[*at]) {
            let Expr::Call { callee, args } = &node.expr else { continue };
            let batched = !self.plural.is_empty();
            let mut all = Vec::with_capacity(args.len() + 1);
            let callee = match callee {
                Callee::Prim(prim) if batched => format!("batch_{prim}"),
                Callee::Prim(prim) => prim.to_string(),
                Callee::Node(f) if batched => {
                    all.push(self.operand(*f));
                    "batch_call".to_string()
                }
                Callee::Node(f) => self.callee(*f),
            };
            all.extend(args.iter().map(|arg| self.operand(*arg)));
            let (number, plural) = (self.next(), self.plural);
            self.line(format_args!("    t{number}{plural} = {callee}({})", all.join(", ")));
            self.numbers.insert(NodeId(at as u32), number);
        }
    }

    fn callee(&mut self, node: NodeId) -> String {
        let body = self.body;
        let expr = &body.node(node).expr;
        if let Expr::Call { .. } = expr {
            return self.operand(node);
        }
        if let Some(number) = self.called.get(expr) {
            return format!("t{number}");
        }
        let leaf = self.operand(node);
        let number = self.next();
        self.line(format_args!("    t{number} = {leaf}"));
        self.called.insert(expr, number);
        format!("t{number}")
    }

    fn operand(&self, node: NodeId) -> String {
        match &self.body.node(node).expr {
            Expr::Input(input) => format!("{}{}", input.name(), self.plural),
            Expr::Const(id) => id.get().name.clone(),
            Expr::Literal(value) => value.to_string(),
            Expr::Prim(prim) => prim.to_string(),
            Expr::Call { .. } => {
                let number = self.numbers.get(&node).copied().unwrap_or(0);
                format!("t{number}{}", self.plural)
            }
        }
    }
}

/// The function's own name, unless reading it back would lose the task.
fn function_name(program: &Program) -> String {
    if is_name(&program.name) && (program.task.is_none() || task_of(&program.name) == program.task)
    {
        return program.name.clone();
    }
    let id = program.task.as_ref().unwrap_or(&program.name);
    let plain: String = id.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    format!("solve_{plain}")
}

fn is_name(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c == '_' || c.is_alphabetic());
    begins && text.chars().all(|c| c == '_' || c.is_alphanumeric()) && !hints::reserved(text)
}

fn quote(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
    format!("'{escaped}'")
}
