//! Tasks that the solver answers by itself.

use batt_run::engine;
use batt_run::stop::NEVER;
use batt_run::tasks::{self, Grid, Task};
use batt_solve::{Answer, Config, Part, Prepared, Solver};

fn answers(tasks: &[Task]) -> Vec<Answer> {
    let prepared = Prepared::new().unwrap();
    let engine = engine::engine("cpu").unwrap();
    let solver = Solver::new(&prepared, &*engine, &NEVER);
    let config = Config { parts: vec![Part::Cells], ..Config::default() };
    tasks.iter().map(|task| solver.solve(task, &config)).collect()
}

#[test]
fn cell_rules_answer_built_in_tasks() {
    let tasks = tasks::embedded().tasks().to_vec();
    let answers = answers(&tasks);
    let is_right = |(answer, task): &(&Answer, &Task)| {
        let mut attempts = answer.attempts.iter();
        attempts.any(|attempt| {
            let tests = attempt.outputs.iter().zip(&task.tests);
            tests.clone().count() > 0 && tests.clone().all(|(o, t)| Some(o) == t.output.as_ref())
        })
    };
    let right = answers.iter().zip(&tasks).filter(is_right).count();
    assert!(right >= 20, "{right} of {} tasks are right", tasks.len());
    for (answer, task) in answers.iter().zip(&tasks) {
        assert!(answer.refused.is_empty(), "{}: {:?}", task.id, answer.refused);
    }
}

#[test]
fn what_tests_should_give_is_never_looked_at() {
    let tasks: Vec<Task> = tasks::embedded().tasks().iter().take(8).cloned().collect();
    let noise = Grid::from_rows(&[[7, 0, 7]]).unwrap();
    let mut changed = tasks.clone();
    for task in &mut changed {
        for test in &mut task.tests {
            test.output = Some(noise.clone());
        }
    }
    let programs = |tasks: &[Task]| -> Vec<Vec<String>> {
        let programs = |answer: Answer| {
            answer.attempts.iter().map(|a| batt_lang::text::print(&a.program)).collect()
        };
        answers(tasks).into_iter().map(programs).collect()
    };
    assert_eq!(programs(&tasks), programs(&changed));
}
