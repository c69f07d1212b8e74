//! What differs say of candidates that may stay: guidance where no demo is exact yet.

use batt_lang::card::{Card, Options, ProgramId};
use batt_run::engine::{Cell, Phase, Setup, Stoppable};
use batt_run::reference::eval::{self, Inputs, Policy};
use batt_run::run::scores::Score;

use super::TaskContext;
use crate::judge;
use crate::pool::{Gene, Genome, Pool};

/// How alike the differs find each program's outputs and what is expected: for every program, of 1000
/// for each demo. A differ says how much is missing or new, so less is better; one that fails finds
/// nothing alike.
pub fn alike(on: Stoppable, task: &TaskContext, pool: &mut Pool, roots: &[Gene]) -> Vec<Vec<u16>> {
    let differs = judge::differs();
    if roots.is_empty() || differs.is_empty() {
        return vec![vec![0; task.demos.len()]; roots.len()];
    }
    let (body, places) = pool.body(roots);
    let mut card = Card::new(Options::default());
    card.add_outputs(&body, &places);
    for program in 0..roots.len() as u32 {
        for differ in differs {
            card.add_score(differ, Some(ProgramId(program)));
        }
    }
    let battery = card.deal();
    let loaded = on.engine.load(Setup {
        battery: &battery,
        phase: Phase::Scores,
        tasks: &task.pairs,
        timed: false,
        verdicts: true,
        stop: on.stop,
    });
    let (rows, _) = loaded.run(&task.apart);
    let mut all = vec![Vec::with_capacity(task.demos.len()); roots.len()];
    for (row, sample) in rows.iter().zip(&task.apart) {
        for (program, cells) in row.chunks(differs.len()).enumerate() {
            let mut sum = 0;
            for (cell, differ) in cells.iter().zip(differs) {
                let value = match cell {
                    Cell::Value(value) => Some(value.clone()),
                    Cell::Error(..) | Cell::Verdict(_) | Cell::Stopped => None,
                    Cell::HandBack => {
                        let s = &task.pairs[sample.task];
                        let inputs = Inputs { s, i: &sample.input, c: None };
                        let program = Genome::of(pool, roots[program]).program();
                        let run = |program, inputs: &Inputs| {
                            eval::run_until(program, inputs, Policy::Strict, on.stop)?.ok()
                        };
                        let output = run(&program, &inputs);
                        output.and_then(|output| {
                            let c = sample.expected.as_ref();
                            run(differ, &Inputs { s, i: &output, c })
                        })
                    }
                };
                let score = value.and_then(|value| Score::of(&value));
                sum += score.map_or(0, |score| judge::FULL - score.score as u32);
            }
            all[program].push((sum / differs.len() as u32) as u16);
        }
    }
    all
}
