//! Makes a case that differs as small as it gets: fewer programs, lines, demo pairs, cells and
//! colours. Every step is kept only if the case still differs.

use batt_lang::constants::ConstId;
use batt_lang::program::Callee;
use batt_lang::{Expr, Input, NodeId, Program};

use super::Case;
use super::case::Rows;

/// Shrinks a case for which `differs` holds. Asks at most so many times.
pub fn shrink(case: Case, most: usize, differs: &dyn Fn(&Case) -> bool) -> Case {
    let mut search = Search { best: case, left: most, differs };
    loop {
        let before = search.best.clone();
        search.companions();
        search.program();
        search.pairs();
        search.grid(|case| Some(&mut case.input));
        search.grid(|case| case.compared.as_mut());
        search.edit(|case| case.target = None);
        search.grid(|case| case.target.as_mut());
        if search.left == 0 || search.best == before {
            return search.best;
        }
    }
}

struct Search<'a> {
    best: Case,
    left: usize,
    differs: &'a dyn Fn(&Case) -> bool,
}

impl Search<'_> {
    /// Keeps a smaller case if it differs too.
    fn keep(&mut self, smaller: Case) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let good = (self.differs)(&smaller);
        if good {
            self.best = smaller;
        }
        good
    }

    fn edit(&mut self, change: impl FnOnce(&mut Case)) -> bool {
        let mut smaller = self.best.clone();
        change(&mut smaller);
        smaller != self.best && self.keep(smaller)
    }

    /// Drops the programs around it: all, then ever smaller parts.
    fn companions(&mut self) {
        self.parts(
            |case| case.with.len(),
            |case, from, to| {
                case.with.drain(from..to);
            },
        );
    }

    fn pairs(&mut self) {
        self.parts(
            |case| case.pairs.len(),
            |case, from, to| {
                case.pairs.drain(from..to);
            },
        );
        for at in 0..self.best.pairs.len() {
            for side in 0..2 {
                self.grid(|case| case.pairs.get_mut(at).map(|pair| &mut pair[side]));
            }
        }
    }

    /// Takes away parts of something long, halving the part until it is one item.
    fn parts(&mut self, length: impl Fn(&Case) -> usize, cut: impl Fn(&mut Case, usize, usize)) {
        let mut size = length(&self.best);
        while size > 0 {
            let mut from = 0;
            while from < length(&self.best) {
                let to = (from + size).min(length(&self.best));
                if !self.edit(|case| cut(case, from, to)) {
                    from = to;
                }
            }
            size /= 2;
        }
    }

    fn program(&mut self) {
        // An earlier line as the output takes the most away.
        for at in calls(&self.best.program) {
            if self.edit(|case| case.program = trimmed(&case.program, at)) {
                break;
            }
        }
        let mut places = calls(&self.best.program);
        while let Some(at) = places.pop() {
            for stand_in in stand_ins(&self.best.program, at) {
                if self.edit(|case| case.program = replaced(&case.program, at, &stand_in)) {
                    places = calls(&self.best.program);
                    break;
                }
            }
        }
    }

    fn grid(&mut self, get: impl Fn(&mut Case) -> Option<&mut Rows>) {
        let peek =
            |case: &Case| get(&mut case.clone()).map(|rows| rows.clone()).unwrap_or_default();
        // A grid keeps at least one cell.
        let cut_rows = |case: &mut Case, from: usize, to: usize| {
            if let Some(rows) = get(case).filter(|rows| rows.len() > to - from) {
                rows.drain(from..to);
            }
        };
        self.parts(|case| peek(case).len(), cut_rows);
        let width = |case: &Case| peek(case).first().map_or(0, Vec::len);
        let cut_columns = |case: &mut Case, from: usize, to: usize| {
            if let Some(rows) = get(case).filter(|rows| rows[0].len() > to - from) {
                for row in rows {
                    row.drain(from..to);
                }
            }
        };
        self.parts(width, cut_columns);
        let recolor = |case: &mut Case, old: i32| {
            if let Some(rows) = get(case) {
                rows.iter_mut().flatten().filter(|c| **c == old).for_each(|c| *c = 0);
            }
        };
        for color in 1..10 {
            self.edit(|case| recolor(case, color));
        }
        let rows = peek(&self.best);
        for (i, row) in rows.iter().enumerate() {
            for j in 0..row.len() {
                self.edit(|case| {
                    if let Some(cell) = get(case).and_then(|rows| rows.get_mut(i)?.get_mut(j)) {
                        *cell = 0;
                    }
                });
            }
        }
    }
}

/// The calls that the output needs, the output itself left out.
fn calls(program: &Program) -> Vec<NodeId> {
    let needed = program.body.needed(&[program.output]);
    let ids = (0..).map(NodeId).zip(&program.body.nodes);
    ids.filter(|(id, node)| needed[id.index()] && matches!(node.expr, Expr::Call { .. }))
        .map(|(id, _)| id)
        .collect()
}

/// What a call may be replaced by: an argument, an input, a constant.
fn stand_ins(program: &Program, at: NodeId) -> Vec<Expr> {
    let Expr::Call { args, .. } = &program.body.node(at).expr else { return Vec::new() };
    let mut all: Vec<Expr> = vec![Expr::Input(Input::I)];
    all.extend(["ZERO", "ORIGIN"].iter().filter_map(|n| ConstId::named(n)).map(Expr::Const));
    let leaves = args.iter().map(|arg| program.body.node(*arg).expr.clone());
    all.extend(leaves);
    all
}

/// The program with another output, and only what that needs.
fn trimmed(program: &Program, output: NodeId) -> Program {
    let (body, output) = program.body.part(output);
    Program { body, output, ..program.clone() }
}

/// The program with one node computing something else. A copy of an argument's call moves up, so
/// the call around it goes.
fn replaced(program: &Program, at: NodeId, expr: &Expr) -> Program {
    let mut program = program.clone();
    let earlier = |id: &NodeId| id.0 < at.0;
    let fits = match expr {
        Expr::Call { callee, args } => {
            args.iter().all(earlier) && !matches!(callee, Callee::Node(f) if !earlier(f))
        }
        _ => true,
    };
    if fits {
        program.body.nodes[at.index()].expr = expr.clone();
    }
    let output = program.output;
    trimmed(&program, output)
}
