//! The shortest program that does the same.

use batt_lang::Value;
use batt_run::engine::Stoppable;
use batt_run::engine::mark::{Mark, digest_of_all};

use super::TaskContext;
use super::confirm::Confirmed;
use super::evaluate::marks;
use crate::operators::laws;
use crate::pool::{Gene, Genome, Pool};

/// How often a program is made shorter before it is left as it is.
const ROUNDS: usize = 24;

/// What making a program shorter came to.
#[derive(Debug)]
pub struct Minimal {
    /// The shortest program that was found.
    pub root: Gene,
    /// Programs that were marked like it and give something else.
    pub unlike: Vec<Unlike>,
}

/// A program that was marked like another and gives something else.
#[derive(Debug)]
pub struct Unlike {
    /// The program.
    pub root: Gene,
    /// The programs that it was marked among.
    pub among: Vec<Gene>,
    /// The sample where they differ, by its place.
    pub sample: usize,
    /// What it gives there; `None` is an error.
    pub value: Option<Value>,
}

/// The shortest program that is found by putting smaller parts in the place of larger ones and that
/// gives the same on every sample: marks propose it, and the interpreter confirms it.
pub fn minimal(
    on: Stoppable,
    task: &TaskContext,
    pool: &mut Pool,
    root: Gene,
    confirmed: &Confirmed,
) -> Minimal {
    let search = Search { on, task, confirmed };
    let mut unlike: Vec<Unlike> = Vec::new();
    // Mostly marks are right, so it is enough to look at the end; where they are not, at every step.
    let marked = search.run(pool, root, &mut |_, _, _| true);
    if marked == root || search.differs(pool, marked).is_none() {
        return Minimal { root: marked, unlike };
    }
    let confirmed = search.run(pool, root, &mut |pool, shorter, among| {
        if unlike.iter().any(|unlike| unlike.root == shorter) {
            return false;
        }
        let differs = search.differs(pool, shorter);
        let same = differs.is_none();
        let among = among.to_vec();
        unlike.extend(differs.map(|(sample, value)| Unlike {
            root: shorter,
            among,
            sample,
            value,
        }));
        same
    });
    Minimal { root: confirmed, unlike }
}

/// What a shorter program is compared with.
#[derive(Clone, Copy)]
struct Search<'a> {
    on: Stoppable<'a>,
    task: &'a TaskContext,
    confirmed: &'a Confirmed,
}

impl Search<'_> {
    /// Takes the first shorter program that is marked alike and accepted, as long as there is one.
    fn run(
        &self,
        pool: &mut Pool,
        root: Gene,
        accept: &mut dyn FnMut(&mut Pool, Gene, &[Gene]) -> bool,
    ) -> Gene {
        let of_all = |marks: &mut dyn Iterator<Item = Mark>| digest_of_all(marks.map(|m| m.digest));
        let wanted = of_all(&mut self.confirmed.marks.iter().copied());
        let mut best = root;
        for _ in 0..ROUNDS {
            if self.on.stop.fired() {
                break;
            }
            let shorter = shorter(pool, best);
            let given = marks(self.on, self.task, &self.confirmed.samples, pool, &shorter).0;
            let mut alike = (0..shorter.len())
                .filter(|at| of_all(&mut given.iter().map(|row| row[*at])) == wanted);
            match alike.find(|at| accept(pool, shorter[*at], &shorter)) {
                Some(at) => best = shorter[at],
                None => break,
            }
        }
        best
    }

    /// Where the interpreter finds something else than what is to be made shorter gives.
    fn differs(&self, pool: &mut Pool, root: Gene) -> Option<(usize, Option<Value>)> {
        let program = Genome::of(pool, root).program();
        self.confirmed.differs_from(self.on, self.task, &program)
    }
}

/// Programs with fewer parts, the shortest first.
fn shorter(pool: &mut Pool, root: Gene) -> Vec<Gene> {
    let parts = pool.parts(root);
    let mut pairs = laws(pool, &parts);
    for gene in parts.iter().filter(|gene| pool.node(**gene).is_call()) {
        let kind = pool.kind(*gene);
        pairs.extend(
            parts
                .iter()
                .take_while(|other| *other < gene)
                .filter(|other| pool.kind(**other) == kind)
                .map(|other| (*gene, *other)),
        );
    }
    let mut found: Vec<(usize, u64, Gene)> = Vec::new();
    for (old, new) in pairs {
        if let Some(made) = pool.replace(&parts, old, new)
            && pool.table.is_output(pool.kind(made))
        {
            let size = pool.parts(made).len();
            if size < parts.len() {
                found.push((size, pool.hash(made), made));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|(.., gene)| gene).collect()
}
