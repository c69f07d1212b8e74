//! Expressions evaluated on grids: one battery for all features, whatever the task.

use batt_lang::Value;
use batt_lang::battery::Battery;
use batt_lang::card::{Card, Options};
use batt_lang::program::{Body, NodeId};
use batt_run::engine::{Cell, Engine, Loaded, Phase, Sample, Setup};
use batt_run::reference::eval::{self, Inputs};
use batt_run::stop::Stop;
use batt_run::tasks::Grid;

/// Expressions over a grid that are evaluated together.
#[derive(Debug)]
pub struct Sheet {
    body: Body,
    roots: Vec<NodeId>,
    battery: Battery,
    /// No expression here reads the demos.
    demos: [Value; 1],
}

impl Sheet {
    /// Deals expressions into a battery.
    pub fn new(body: &Body, roots: Vec<NodeId>) -> Sheet {
        let mut card = Card::new(Options::default());
        card.add_outputs(body, &roots);
        Sheet { body: body.clone(), roots, battery: card.deal(), demos: [Value::empty_tuple()] }
    }

    /// Readies an engine for them.
    pub fn load<'a>(&'a self, engine: &'a dyn Engine, stop: &'a Stop) -> Ready<'a> {
        let loaded = engine.load(Setup {
            battery: &self.battery,
            phase: Phase::Outputs,
            tasks: &self.demos,
            timed: false,
            verdicts: false,
            stop,
        });
        Ready { sheet: self, loaded }
    }
}

/// A sheet that an engine is ready for.
pub struct Ready<'a> {
    sheet: &'a Sheet,
    loaded: Box<dyn Loaded + 'a>,
}

impl Ready<'_> {
    /// What every expression gives on every grid, by expression; `None` for an error.
    pub fn values(&self, grids: &[Grid]) -> Vec<Vec<Option<Value>>> {
        let sample = |grid: &Grid| Sample {
            task: 0,
            input: grid.to_value(),
            compared: None,
            expected: None,
        };
        let samples: Vec<Sample> = grids.iter().map(sample).collect();
        let (rows, _) = self.loaded.run(&samples);
        let mut out: Vec<Vec<Option<Value>>> =
            self.sheet.roots.iter().map(|_| Vec::with_capacity(grids.len())).collect();
        for (sample, row) in samples.iter().zip(rows) {
            for ((cell, root), values) in row.into_iter().zip(&self.sheet.roots).zip(&mut out) {
                values.push(match cell {
                    Cell::Value(value) => Some(value),
                    Cell::HandBack => self.alone(*root, sample),
                    Cell::Error(..) | Cell::Verdict(_) | Cell::Stopped => None,
                });
            }
        }
        out
    }

    /// What the interpreter gives where the engine declines.
    fn alone(&self, root: NodeId, sample: &Sample) -> Option<Value> {
        let inputs = Inputs { s: &self.sheet.demos[0], i: &sample.input, c: None };
        let policy = batt_lang::card::Policy::Strict;
        let mut outcomes = eval::evaluate(&self.sheet.body, &[root], &inputs, policy);
        outcomes.get_mut(root.index())?.take()?.ok()
    }
}

/// The grid that a value is, if it is one that ARC has.
pub fn grid_of(value: &Value) -> Option<Grid> {
    Grid::of_value(value)
}
