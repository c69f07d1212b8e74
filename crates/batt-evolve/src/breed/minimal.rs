//! The shortest program that does the same.

use batt_run::engine::{Sample, Stoppable};

use super::TaskContext;
use super::evaluate::{behaviour, marks};
use crate::operators::laws;
use crate::pool::{Gene, Pool};

/// How often a program is made shorter before it is left as it is.
const ROUNDS: usize = 24;

/// The shortest program that is found by putting smaller parts in the place of larger ones and that
/// gives the same on every sample.
pub fn minimal(
    on: Stoppable,
    task: &TaskContext,
    samples: &[Sample],
    pool: &mut Pool,
    root: Gene,
) -> Gene {
    let wanted = behaviour(&marks(on, task, samples, pool, &[root]).0, 0);
    let mut best = root;
    for _ in 0..ROUNDS {
        if on.stop.fired() {
            break;
        }
        let shorter = shorter(pool, best);
        let given = marks(on, task, samples, pool, &shorter).0;
        let same = (0..shorter.len()).find(|at| behaviour(&given, *at) == wanted);
        match same {
            Some(at) => best = shorter[at],
            None => break,
        }
    }
    best
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
