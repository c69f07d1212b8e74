//! A task as breeding sees it. Expected outputs of tests are not among what it may look at.

use batt_lang::Value;
use batt_run::engine::Sample;
use batt_run::run::outcome::{SampleId, Samples};
use batt_run::tasks::Task;

use super::hints::Told;
use crate::judge::Judge;

/// A task, ready to breed for.
#[derive(Debug)]
pub struct TaskContext {
    /// Its id.
    pub id: String,
    /// Judges what is to be kept.
    pub judge: Judge,
    /// S, as engines take it: all demo pairs, then for each demo all pairs but its own.
    pub pairs: Vec<Value>,
    /// The demos, with what they expect; C is the same.
    pub demos: Vec<Sample>,
    /// The demos again, each without its own pair in S. A program that reads S is bred on these:
    /// it must not look up the answer.
    pub apart: Vec<Sample>,
    /// The tests' inputs; what they expect is left out.
    pub tests: Vec<Sample>,
    /// What the demo pairs tell.
    pub told: Told,
}

impl TaskContext {
    /// Readies a task.
    pub fn new(task: &Task) -> TaskContext {
        let samples = Samples::of(task);
        let mut context = TaskContext {
            id: task.id.clone(),
            judge: Judge::new(task),
            pairs: vec![samples.s],
            demos: Vec::new(),
            apart: Vec::new(),
            tests: Vec::new(),
            told: Told::default(),
        };
        for item in samples.items {
            let input = item.input;
            match item.id {
                SampleId::Demo(_) => context.demos.push(Sample {
                    task: 0,
                    input,
                    compared: item.output.clone(),
                    expected: item.output,
                }),
                SampleId::Test(_) => {
                    context.tests.push(Sample { task: 0, input, compared: None, expected: None });
                }
            }
        }
        let demos = &task.demos;
        for (at, sample) in context.demos.iter().enumerate() {
            let others = demos.iter().enumerate().filter(|(other, _)| *other != at);
            let others = Task {
                id: String::new(),
                demos: others.map(|(_, demo)| demo.clone()).collect(),
                tests: Vec::new(),
            };
            context.pairs.push(others.pairs());
            context.apart.push(Sample { task: at + 1, ..sample.clone() });
        }
        let inputs: Vec<&Value> = context.demos.iter().map(|sample| &sample.input).collect();
        context.told = Told::of(&context.pairs[0], &inputs);
        context
    }
}
