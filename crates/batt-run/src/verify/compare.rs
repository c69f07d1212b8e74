//! Compares every output and every score.

use batt_lang::battery::Battery;
use batt_lang::card::Policy;
use batt_lang::{Program, Value};
use rayon::prelude::*;

use super::{Answer, Check, Mismatch, Report, Side, Work, dealt, score_alone};
use crate::engine::{Loaded, Phase, Sample, Setup};
use crate::reference::eval::{self, Inputs};
use crate::run::outcome::SampleId;
use crate::tasks::Example;

/// One sample of the work.
struct Place {
    task: usize,
    id: SampleId,
    input: Value,
    output: Option<Value>,
}

/// Runs both sides on all samples and compares. Runs on the threads of the pool it is called in;
/// `done` is called after every sample of a pass.
pub fn compare(check: &Check, work: &Work, done: &(dyn Fn() + Sync)) -> Report {
    let places = places(work);
    let pairs: Vec<Value> = work.tasks.iter().map(crate::tasks::Task::pairs).collect();
    let mut by_task = vec![Vec::new(); work.tasks.len()];
    for pair in &work.plan.pairs {
        by_task[pair.task].push(pair.program);
    }
    let batteries = [check.left, check.right].map(|side| match side {
        Side::Alone => None,
        Side::Merged { fuse, .. } => Some(dealt(work, fuse, check.policy).deal()),
    });
    let mut report = Report::default();
    for phase in [Phase::Outputs, Phase::Scores] {
        if phase == Phase::Scores && work.differs.is_empty() {
            continue;
        }
        let load = |side, battery| Ready::new(side, battery, phase, &pairs, check.policy);
        let ready =
            [load(check.left, batteries[0].as_ref()), load(check.right, batteries[1].as_ref())];
        let one = |place: &Place| {
            let programs = &by_task[place.task];
            // Without a known output there is nothing to score against.
            let skipped = programs.is_empty() || (phase == Phase::Scores && place.output.is_none());
            let part = if skipped {
                Report::default()
            } else {
                sample(&ready, work, &pairs[place.task], place, programs, phase)
            };
            done();
            part
        };
        let parts: Vec<Report> = places.par_iter().with_max_len(1).map(one).collect();
        for part in parts {
            report.add(part);
        }
    }
    report
}

fn places(work: &Work) -> Vec<Place> {
    let mut places = Vec::new();
    for (task, t) in work.tasks.iter().enumerate() {
        let demos = t.demos.iter().enumerate().map(|(n, e)| (SampleId::Demo(n), e));
        let tests = t.tests.iter().enumerate().map(|(n, e)| (SampleId::Test(n), e));
        places.extend(demos.chain(tests).map(|(id, Example { input, output })| Place {
            task,
            id,
            input: input.to_value(),
            output: output.as_ref().map(crate::tasks::Grid::to_value),
        }));
    }
    places
}

/// A side that is ready to run.
struct Ready<'a> {
    loaded: Option<Box<dyn Loaded + 'a>>,
    policy: Policy,
}

/// What is asked of a side: a program's output, or a score of it or of the input.
#[derive(Clone, Copy)]
struct Question<'a> {
    program: Option<&'a Program>,
    differ: Option<&'a Program>,
    /// The root of the battery that answers it.
    root: usize,
}

impl<'a> Ready<'a> {
    fn new(
        side: Side<'a>,
        battery: Option<&'a Battery>,
        phase: Phase,
        tasks: &'a [Value],
        policy: Policy,
    ) -> Ready<'a> {
        let loaded = match (side, battery) {
            (Side::Merged { engine, .. }, Some(battery)) => {
                Some(engine.load(Setup { battery, phase, tasks, timed: false, verdicts: false }))
            }
            _ => None,
        };
        Ready { loaded, policy }
    }

    /// The answers to all questions, and how many were handed back.
    fn answers(
        &self,
        questions: &[Question],
        place: &Place,
        s: &Value,
        phase: Phase,
    ) -> (Vec<Answer>, u64) {
        let compared = place.output.clone().filter(|_| phase == Phase::Scores);
        let row = self.loaded.as_ref().map(|loaded| {
            let sample =
                Sample { task: place.task, input: place.input.clone(), compared, expected: None };
            loaded.run(&[sample]).0.pop().unwrap_or_default()
        });
        let mut handed_back = 0;
        let answers = questions.iter().map(|question| {
            let merged = row.as_ref().and_then(|row| row.get(question.root));
            let answer = merged.and_then(Answer::of);
            handed_back += u64::from(row.is_some() && answer.is_none());
            answer.unwrap_or_else(|| self.alone(question, place, s))
        });
        let answers = answers.collect();
        (answers, handed_back)
    }

    fn alone(&self, question: &Question, place: &Place, s: &Value) -> Answer {
        let inputs = Inputs { s, i: &place.input, c: place.output.as_ref() };
        match (question.differ, question.program) {
            (Some(differ), program) => score_alone(program, differ, &inputs, self.policy),
            (None, Some(program)) => {
                eval::run(program, &Inputs { c: None, ..inputs }, self.policy).into()
            }
            (None, None) => Answer::Error,
        }
    }
}

fn sample(
    ready: &[Ready; 2],
    work: &Work,
    s: &Value,
    place: &Place,
    programs: &[usize],
    phase: Phase,
) -> Report {
    let width = work.differs.len();
    let mut questions = Vec::new();
    let mut named = Vec::new();
    match phase {
        Phase::Outputs => {
            for at in programs {
                let program = Some(&work.programs[*at]);
                questions.push(Question { program, differ: None, root: *at });
                named.push((Some(*at), None));
            }
        }
        Phase::Scores => {
            let scored = programs.iter().map(|at| Some(*at)).chain([None]);
            for (at, (d, differ)) in
                scored.flat_map(|at| work.differs.iter().enumerate().map(move |d| (at, d)))
            {
                let root = at.unwrap_or(work.programs.len()) * width + d;
                let program = at.map(|at| &work.programs[at]);
                questions.push(Question { program, differ: Some(differ), root });
                named.push((at, Some(d)));
            }
        }
    }
    let (left, a) = ready[0].answers(&questions, place, s, phase);
    let (right, b) = ready[1].answers(&questions, place, s, phase);
    let mut report = Report { handed_back: a + b, ..Report::default() };
    for ((left, right), (program, differ)) in left.into_iter().zip(right).zip(named) {
        report.compared += 1;
        report.values += u64::from(matches!(left, Answer::Value(_)));
        if left != right {
            report.mismatches += 1;
            let (task, sample) = (place.task, place.id);
            report.first.get_or_insert(Mismatch { program, differ, task, sample, left, right });
        }
    }
    report
}

impl Report {
    /// Adds what a later part found.
    pub fn add(&mut self, part: Report) {
        self.compared += part.compared;
        self.mismatches += part.mismatches;
        self.handed_back += part.handed_back;
        self.values += part.values;
        self.first = self.first.take().or(part.first);
    }
}
