//! Formulas: operations of the enumeration, read from text and made ready to run on columns.

use batt_core::Val;
use batt_lang::ops::{Role, typing};
use batt_lang::program::{Body, Callee, Expr, Input, NodeId};
use batt_lang::{Op, Value, text};

use super::sort::Sort;

/// Where an argument comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The argument of the operation with this number.
    Param(usize),
    /// The same value everywhere.
    Fixed(Val),
    /// What a step before gave.
    Step(usize),
}

/// A function that a loop runs for every item.
#[derive(Clone, Debug)]
pub enum Func {
    /// A primitive.
    Prim(Op),
    /// The second, then the first.
    Compose(Box<Func>, Box<Func>),
    /// The first of what the others give.
    Fork(Box<Func>, Box<Func>, Box<Func>),
    /// Whether the function gives the value.
    Matcher(Box<Func>, Source),
    /// With its last argument fixed.
    Rbind(Box<Func>, Source),
    /// With its first argument fixed.
    Lbind(Box<Func>, Source),
}

/// A column to compute.
#[derive(Clone, Debug)]
pub enum Step {
    /// A primitive on every row.
    Call(Op, Vec<Source>),
    /// A higher-order primitive: its function, its container, its rank.
    Loop(Op, Func, Source, Option<Source>),
}

/// An operation: what it takes, what it gives, what it costs, and its steps.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its text, with `P` or `O` for a patch of either kind.
    pub text: String,
    /// The sorts of its arguments.
    pub params: Vec<Sort>,
    /// The sort of its result.
    pub result: Sort,
    /// What it costs.
    pub cost: u16,
    /// Whether its two arguments may be exchanged.
    pub commutes: bool,
    /// Its steps; the last one gives the result.
    pub steps: Vec<Step>,
    /// It as an expression, with S, I and C in the place of its arguments.
    pub body: Body,
    /// The expression's root.
    pub root: NodeId,
}

/// What stands for the arguments in an expression.
pub const HOLES: [Input; 3] = [Input::I, Input::C, Input::S];

/// Reads a line: `COST RESULT = EXPRESSION`, or `=~` where the arguments may be exchanged. Arguments are
/// written as the letters of their sorts, with a digit where there are several of one sort; `A` stands for a
/// mask and for an object, which makes two operations.
pub fn read(line: &str) -> Result<Vec<Formula>, String> {
    let (head, expression) = line.split_once('=').ok_or("no = between result and expression")?;
    let (commutes, expression) = match expression.strip_prefix('~') {
        Some(rest) => (true, rest.trim()),
        None => (false, expression.trim()),
    };
    let mut words = head.split_whitespace();
    let cost = words.next().and_then(|word| word.parse().ok()).filter(|cost| *cost > 0);
    let cost = cost.ok_or("no cost from 1 on before the result")?;
    let result = words.next().and_then(letter).ok_or("no sort of the result")?;
    if result.1.is_some() || words.next().is_some() {
        return Err("a result is one letter".to_string());
    }
    let (filled, params) = fill_holes(expression)?;
    let of = |either: Sort| {
        let sort = |name: &String| letter(name).map(|(sort, _)| sort.unwrap_or(either));
        let params: Option<Vec<Sort>> = params.iter().map(sort).collect();
        let params = params.ok_or("an argument of no sort")?;
        let result = result.0.unwrap_or(either);
        formula(&choose(expression, either), &filled, params, result, cost, commutes)
    };
    if result.0.is_none() || params.iter().any(|name| name.starts_with('A')) {
        Ok(vec![of(Sort::Mask)?, of(Sort::Object)?])
    } else {
        Ok(vec![of(Sort::Mask)?])
    }
}

impl Formula {
    /// What tells it from all others: the letter of its result and its text.
    pub fn name(&self) -> String {
        format!("{} = {}", self.result.letter(), self.text)
    }
}

/// An expression with the letter of a sort in the place of `A`.
fn choose(expression: &str, either: Sort) -> String {
    let mut chosen = String::new();
    let mut before = ' ';
    let mut rest = expression.chars().peekable();
    while let Some(c) = rest.next() {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let alone = !in_word(before) && !rest.peek().is_some_and(|next| in_word(*next));
        chosen.push(if c == 'A' && alone { either.letter() } else { c });
        before = c;
    }
    chosen
}

/// The sort that a letter stands for, `None` for either kind of patch, and the digit after it.
fn letter(name: &str) -> Option<(Option<Sort>, Option<char>)> {
    let mut chars = name.chars();
    let (first, digit) = (chars.next()?, chars.next());
    if chars.next().is_some() || digit.is_some_and(|digit| !('2'..='3').contains(&digit)) {
        return None;
    }
    match first {
        'A' => Some((None, digit)),
        _ => Sort::of_letter(first).map(|sort| (Some(sort), digit)),
    }
}

/// An expression with inputs in the place of its arguments, and their names.
fn fill_holes(expression: &str) -> Result<(String, Vec<String>), String> {
    let (mut filled, mut names, mut word) = (String::new(), Vec::<String>::new(), String::new());
    for c in expression.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if letter(&word).is_some() {
            let at = names.iter().position(|name| *name == word).unwrap_or_else(|| {
                names.push(word.clone());
                names.len() - 1
            });
            let hole = HOLES.get(at).ok_or("more than three arguments")?;
            filled.push_str(hole.name());
        } else {
            filled.push_str(&word);
        }
        word.clear();
        filled.push(c);
    }
    Ok((filled, names))
}

fn formula(
    text: &str,
    filled: &str,
    params: Vec<Sort>,
    result: Sort,
    cost: u16,
    commutes: bool,
) -> Result<Formula, String> {
    let program = text::parse_expression(filled).map_err(|problems| {
        problems.first().map_or_else(String::new, |problem| problem.message.clone())
    })?;
    let mut reader = Reader { body: &program.body, steps: Vec::new(), places: Vec::new() };
    reader.places.resize(program.body.nodes.len(), None);
    match reader.source(program.output)? {
        Source::Step(at) if at + 1 == reader.steps.len() => {}
        _ => return Err("it computes nothing".to_string()),
    }
    let steps = reader.steps;
    if let [Step::Call(op, args)] = &steps[..] {
        typed(*op, args, &params, result)?;
    }
    let text = text.to_string();
    let (body, root) = (program.body, program.output);
    Ok(Formula { text, params, result, cost, commutes, steps, body, root })
}

/// Whether the table takes arguments of these sorts and gives such a result.
fn typed(op: Op, args: &[Source], params: &[Sort], result: Sort) -> Result<(), String> {
    let info = op.info();
    let mut letters = typing::Letters::default();
    let mut kinds = Vec::new();
    for (param, arg) in info.params.iter().zip(args) {
        let kind = match arg {
            Source::Param(at) => params[*at].kind(),
            Source::Step(_) | Source::Fixed(_) => param.kind.clone(),
        };
        if !typing::fits(&param.kind, &kind, &mut letters) {
            return Err(format!("{} takes no {kind} as its {}", info.name, param.name));
        }
        kinds.push(kind);
    }
    let given = typing::result(op, &kinds, &letters);
    if typing::fits(&given, &result.kind(), &mut letters) {
        Ok(())
    } else {
        Err(format!("{} gives {given}, not {}", info.name, result.kind()))
    }
}

/// Reads the nodes of an expression as steps.
struct Reader<'a> {
    body: &'a Body,
    steps: Vec<Step>,
    places: Vec<Option<Source>>,
}

impl Reader<'_> {
    fn source(&mut self, node: NodeId) -> Result<Source, String> {
        if let Some(source) = self.places[node.index()] {
            return Ok(source);
        }
        let source = match &self.body.nodes[node.index()].expr {
            Expr::Input(input) => {
                let at = HOLES.iter().position(|hole| hole == input);
                Source::Param(at.ok_or("an input that is no argument")?)
            }
            Expr::Const(id) => Source::Fixed(fixed(id.value())?),
            Expr::Literal(value) => Source::Fixed(fixed(value)?),
            Expr::Prim(_) => return Err("a function where a value belongs".to_string()),
            Expr::Call { callee: Callee::Node(_), .. } => {
                return Err("a call of what is computed".to_string());
            }
            Expr::Call { callee: Callee::Prim(prim), args } => {
                let step = match prim.op.info().role {
                    Role::Pure => {
                        let args = args.iter().map(|arg| self.source(*arg));
                        Step::Call(prim.op, args.collect::<Result<_, String>>()?)
                    }
                    Role::Runs => {
                        let (container, function, extra) = match (prim.op, &args[..]) {
                            (Op::Apply | Op::Mapply, [f, c])
                            | (
                                Op::Sfilter
                                | Op::Mfilter
                                | Op::Extract
                                | Op::Order
                                | Op::Argmax
                                | Op::Argmin,
                                [c, f],
                            ) => (*c, *f, None),
                            (Op::GetArgRank, [c, f, rank]) => (*c, *f, Some(*rank)),
                            _ => return Err(format!("no loop of {} here", prim.info().name)),
                        };
                        let over = self.source(container)?;
                        let extra = extra.map(|rank| self.source(rank)).transpose()?;
                        Step::Loop(prim.op, self.func(function)?, over, extra)
                    }
                    Role::Makes => return Err("a function where a value belongs".to_string()),
                };
                self.steps.push(step);
                Source::Step(self.steps.len() - 1)
            }
        };
        self.places[node.index()] = Some(source);
        Ok(source)
    }

    fn func(&mut self, node: NodeId) -> Result<Func, String> {
        let body = self.body;
        let mut inner = |node: &NodeId| self.func(*node).map(Box::new);
        Ok(match &body.nodes[node.index()].expr {
            Expr::Prim(prim) if prim.op.info().role == Role::Pure => Func::Prim(prim.op),
            Expr::Call { callee: Callee::Prim(prim), args } => match (prim.op, &args[..]) {
                (Op::Compose, [f, g]) => Func::Compose(inner(f)?, inner(g)?),
                (Op::Chain, [h, g, f]) => {
                    let first = Func::Compose(inner(g)?, inner(f)?);
                    Func::Compose(inner(h)?, Box::new(first))
                }
                (Op::Fork, [outer, a, b]) => Func::Fork(inner(outer)?, inner(a)?, inner(b)?),
                (Op::Matcher, [f, target]) => Func::Matcher(inner(f)?, self.source(*target)?),
                (Op::Rbind, [f, fixed]) => Func::Rbind(inner(f)?, self.source(*fixed)?),
                (Op::Lbind, [f, fixed]) => Func::Lbind(inner(f)?, self.source(*fixed)?),
                _ => return Err(format!("no function of {} here", prim.info().name)),
            },
            _ => return Err("a value where a function belongs".to_string()),
        })
    }
}

/// A constant that lies in a word.
fn fixed(value: &Value) -> Result<Val, String> {
    match value {
        Value::Int(n) => Ok(Val::int(*n)),
        Value::Bool(b) => Ok(Val::bool(*b)),
        Value::Pair(i, j) => Ok(Val::pair(*i, *j)),
        _ => Err("only ints, bools and pairs are constants here".to_string()),
    }
}
