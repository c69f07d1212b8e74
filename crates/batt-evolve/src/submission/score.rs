//! What a submission is worth against known solutions.

use serde::Serialize;

use super::{Attempts, MOST, Solutions, Submission};

/// How many are right, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Right.
    pub right: usize,
    /// In all.
    pub total: usize,
}

impl Share {
    fn add(&mut self, right: bool) {
        self.right += usize::from(right);
        self.total += 1;
    }

    /// Of 100.
    pub fn percent(self) -> f64 {
        100.0 * self.right as f64 / self.total.max(1) as f64
    }
}

/// What the first attempt, the first two and the first three are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tops {
    /// The first attempt.
    pub top1: Share,
    /// The first two; over outputs this is what ARC Prize counts.
    pub top2: Share,
    /// The first three.
    pub top3: Share,
}

impl Tops {
    fn add(&mut self, right: [bool; MOST]) {
        let [one, two, three] = right;
        self.top1.add(one);
        self.top2.add(two);
        self.top3.add(three);
    }
}

/// What one task's attempts are worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskScore {
    /// The task.
    pub task: String,
    /// By output: which attempt is the first right one, counted from 1.
    pub outputs: Vec<Option<usize>>,
}

/// What a submission is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scored {
    /// By output.
    pub outputs: Tops,
    /// By task: all its outputs must be right.
    pub tasks: Tops,
    /// Outputs that are known but have no attempt; they count as wrong.
    pub missing: usize,
    /// Outputs with attempts whose solution is not known; they do not count.
    pub unknown: usize,
    /// Every task with a known output.
    pub by_task: Vec<TaskScore>,
}

/// Scores a submission. The error is a task with more outputs than tests.
pub fn score(submission: &Submission, solutions: &Solutions) -> Result<Scored, String> {
    let mut scored = Scored::default();
    for (task, tests) in submission {
        let Some(known) = solutions.get(task) else {
            scored.unknown += tests.len();
            continue;
        };
        if tests.len() > known.len() {
            let (given, there) = (tests.len(), known.len());
            return Err(format!("task {task} has {given} outputs, but {there} tests"));
        }
        scored.unknown += known.iter().take(tests.len()).filter(|known| known.is_none()).count();
    }
    for (task, known) in solutions {
        let tests: &[Attempts] = submission.get(task).map_or(&[], Vec::as_slice);
        let mut whole = [true; MOST];
        let mut outputs = Vec::new();
        for (test, known) in known.iter().enumerate() {
            let Some(known) = known else { continue };
            let attempts: &[_] = tests.get(test).map_or(&[], Vec::as_slice);
            scored.missing += usize::from(attempts.is_empty());
            let first = attempts.iter().position(|attempt| attempt == known);
            let right = [1, 2, 3].map(|top| first.is_some_and(|first| first < top));
            scored.outputs.add(right);
            whole = [0, 1, 2].map(|top| whole[top] && right[top]);
            outputs.push(first.map(|first| first + 1));
        }
        if !outputs.is_empty() {
            scored.tasks.add(whole);
            scored.by_task.push(TaskScore { task: task.clone(), outputs });
        }
    }
    Ok(scored)
}

#[cfg(test)]
mod tests {
    use super::*;
    use batt_run::tasks::Grid;

    #[test]
    fn outputs_and_tasks_are_counted_apart() {
        let grid = |n: u8| Grid::from_rows(&[[n]]).unwrap();
        let solutions = Solutions::from([
            ("a".to_string(), vec![Some(grid(1)), Some(grid(2))]),
            ("b".to_string(), vec![Some(grid(3)), None]),
            ("c".to_string(), vec![Some(grid(4))]),
            ("d".to_string(), vec![None]),
        ]);
        let submission = Submission::from([
            ("a".to_string(), vec![vec![grid(1), grid(9)], vec![grid(9), grid(2)]]),
            ("b".to_string(), vec![vec![grid(9), grid(8), grid(3)], vec![grid(0)]]),
            ("x".to_string(), vec![vec![grid(0)]]),
        ]);
        let scored = score(&submission, &solutions).unwrap();
        let share = |right, total| Share { right, total };
        assert_eq!(scored.outputs.top1, share(1, 4));
        assert_eq!(scored.outputs.top2, share(2, 4));
        assert_eq!(scored.outputs.top3, share(3, 4));
        assert_eq!(scored.tasks.top1, share(0, 3));
        assert_eq!(scored.tasks.top2, share(1, 3));
        assert_eq!(scored.tasks.top3, share(2, 3));
        assert_eq!((scored.missing, scored.unknown), (1, 2));
        assert_eq!(scored.by_task[0].outputs, [Some(1), Some(2)]);
        let much = Submission::from([("c".to_string(), vec![vec![], vec![]])]);
        assert!(score(&much, &solutions).unwrap_err().contains("2 outputs, but 1 tests"));
    }
}
