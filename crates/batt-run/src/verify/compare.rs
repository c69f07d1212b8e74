//! Compares every output, every mark of an output and every score.

use batt_lang::battery::Battery;
use batt_lang::card::Policy;
use batt_lang::{Program, Value};
use rayon::prelude::*;

use super::{Answer, Check, Mismarked, Mismatch, Report, Side, Work, dealt, score_alone};
use crate::engine::mark::Mark;
use crate::engine::{Loaded, Phase, Row, Sample, Setup};
use crate::reference::eval::{self, Inputs};
use crate::run::outcome::SampleId;
use crate::stop::NEVER;
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
        // An engine may compute the samples of a task together, so they are asked for together.
        let by_place: Vec<&[Place]> = places.chunk_by(|a, b| a.task == b.task).collect();
        let one = |places: &&[Place]| {
            // Without a known output there is nothing to score against.
            let asked = |place: &&Place| phase == Phase::Outputs || place.output.is_some();
            let asked: Vec<&Place> = places.iter().filter(asked).collect();
            let part = match asked.first() {
                Some(first) if !by_task[first.task].is_empty() => {
                    task(&ready, work, &pairs[first.task], &asked, &by_task[first.task], phase)
                }
                _ => Report::default(),
            };
            places.iter().for_each(|_| done());
            part
        };
        let parts: Vec<Report> = by_place.par_iter().with_max_len(1).map(one).collect();
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

/// How outputs are marked: by sample, then by root; `None` where the engine handed back.
type Marks = Vec<Vec<Option<Mark>>>;

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
            (Side::Merged { engine, .. }, Some(battery)) => Some(engine.load(Setup {
                battery,
                phase,
                tasks,
                timed: false,
                verdicts: false,
                stop: &NEVER,
            })),
            _ => None,
        };
        Ready { loaded, policy }
    }

    /// The rows of some samples of a task, and how the outputs are marked, where there is a battery.
    fn rows(&self, places: &[&Place], phase: Phase) -> Option<(Vec<Row>, Marks)> {
        let sample = |place: &&Place| Sample {
            task: place.task,
            input: place.input.clone(),
            compared: place.output.clone().filter(|_| phase == Phase::Scores),
            expected: place.output.clone().filter(|_| phase == Phase::Outputs),
        };
        let loaded = self.loaded.as_ref()?;
        let samples: Vec<Sample> = places.iter().map(sample).collect();
        let rows = loaded.run(&samples).0;
        let marked = phase == Phase::Outputs;
        Some((rows, if marked { loaded.marks(&samples).0 } else { Vec::new() }))
    }

    /// The answers to all questions, and how many were handed back.
    fn answers(
        &self,
        questions: &[Question],
        place: &Place,
        s: &Value,
        row: Option<&Row>,
    ) -> (Vec<Answer>, u64) {
        let mut handed_back = 0;
        let answers = questions.iter().map(|question| {
            let merged = row.and_then(|row| row.get(question.root));
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

/// Compares both sides on some samples of one task.
fn task(
    ready: &[Ready; 2],
    work: &Work,
    s: &Value,
    places: &[&Place],
    programs: &[usize],
    phase: Phase,
) -> Report {
    let (questions, named) = questions(work, programs, phase);
    let rows = [ready[0].rows(places, phase), ready[1].rows(places, phase)];
    let mut report = Report::default();
    for (at, place) in places.iter().enumerate() {
        let [left, right] = [0, 1].map(|side| {
            let row = rows[side].as_ref().and_then(|(rows, _)| rows.get(at));
            ready[side].answers(&questions, place, s, row)
        });
        report.handed_back += left.1 + right.1;
        let answers = left.0.into_iter().zip(right.0).zip(&questions).zip(&named);
        for (((left, right), question), (program, differ)) in answers {
            report.compared += 1;
            report.values += u64::from(matches!(left, Answer::Value(_)));
            let same = left == right;
            let mut mark = None;
            if same && phase == Phase::Outputs {
                let given = [0, 1].map(|side| {
                    rows[side].as_ref().and_then(|(_, m)| *m.get(at)?.get(question.root)?)
                });
                report.marks += given.iter().flatten().count() as u64;
                mark = mismarked(given, left.mark(place.output.as_ref()));
            }
            if !same || mark.is_some() {
                report.mismatches += 1;
                let (task, sample) = (place.task, place.id);
                let (program, differ) = (*program, *differ);
                let found = Mismatch { program, differ, task, sample, left, right, mark };
                report.first.get_or_insert(found);
            }
        }
    }
    report
}

/// The first of two sides' marks that is not as it should be.
fn mismarked(given: [Option<Mark>; 2], wanted: Mark) -> Option<Mismarked> {
    let sides = given.into_iter().zip([false, true]);
    let mut wrong = sides
        .filter_map(|(mark, right)| Some(Mismarked { right, given: mark?, wanted }))
        .filter(|mark| mark.given != mark.wanted);
    wrong.next()
}

/// A program and a differ, by their places.
type Named = (Option<usize>, Option<usize>);

/// What is asked in a phase, and what each question is about.
fn questions<'a>(
    work: &Work<'a>,
    programs: &[usize],
    phase: Phase,
) -> (Vec<Question<'a>>, Vec<Named>) {
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
    (questions, named)
}

impl Report {
    /// Adds what a later part found.
    pub fn add(&mut self, part: Report) {
        self.compared += part.compared;
        self.marks += part.marks;
        self.mismatches += part.mismatches;
        self.handed_back += part.handed_back;
        self.values += part.values;
        self.first = self.first.take().or(part.first);
    }
}
