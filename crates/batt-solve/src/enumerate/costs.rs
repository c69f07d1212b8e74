//! Costs of operations, learnt from programs: an operation that programs use more often than its cost says
//! becomes cheaper, one that they use less often dearer.
//!
//! The table is text: a line `COST PROGRAMS RESULT = EXPRESSION` for every operation, where PROGRAMS says in how
//! many programs the expression occurs.

use std::fmt::Write as _;

use batt_lang::program::Program;

use super::formula::Formula;
use super::occurrences::Occurrences;
use super::operations::Operations;
use super::sort::Sort;

/// So many programs, made up for every operation, speak for the cost that it has.
const PRIOR: f64 = 10.0;
/// An operation becomes no more than this cheaper,
const CHEAPER: f64 = 1.0;
/// and no more than this dearer.
const DEARER: f64 = 1.0;

/// A table of costs of operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// The number of programs they were learnt from.
    pub programs: usize,
    /// A row for every operation.
    pub rows: Vec<Row>,
}

/// An operation, what it costs, and in how many programs it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it costs.
    pub cost: u16,
    /// The number of programs that have it.
    pub programs: usize,
    /// It as text, with the sorts of its arguments: see [`super::formula::Formula::name`].
    pub operation: String,
}

impl Costs {
    /// Learns the costs of operations from programs, beginning with those that they have.
    pub fn learn(operations: &Operations, programs: &[Program]) -> Costs {
        let formulas = &operations.formulas;
        let mut counts = vec![0usize; formulas.len()];
        for program in programs {
            let occurrences = Occurrences::new(program);
            for (count, formula) in counts.iter_mut().zip(formulas) {
                *count += usize::from(occurrences.has(formula));
            }
        }
        // What the costs say of a sort: an operation is used half as often as one that costs one less.
        let weight = |cost: u16| libm::exp2(-f64::from(cost));
        let mut rows = Vec::new();
        for sort in Sort::ALL {
            let of_sort = || formulas.iter().zip(&counts).filter(|(one, _)| one.result == sort);
            let weights: f64 = of_sort().map(|(formula, _)| weight(formula.cost)).sum();
            let uses: usize = of_sort().map(|(_, count)| count).sum();
            let row = |(formula, count): (&Formula, &usize)| {
                let expected = uses as f64 * weight(formula.cost) / weights;
                let more = libm::log2((*count as f64 + PRIOR) / (expected + PRIOR));
                let cost = f64::from(formula.cost) - libm::round(more.clamp(-DEARER, CHEAPER));
                Row { cost: cost.max(1.0) as u16, programs: *count, operation: formula.name() }
            };
            rows.extend(of_sort().map(row));
        }
        Costs { programs: programs.len(), rows }
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "# What the operations of the enumeration cost, learnt from {} programs by `batt solve --learn-costs`.\n\
             # COST PROGRAMS RESULT = EXPRESSION: what it costs, in how many of the programs it occurs, and the\n\
             # operation, with the letters of `operations.txt`. What is cheap is tried first.\n",
            self.programs
        );
        for sort in Sort::ALL {
            let letter = sort.letter();
            let mut rows: Vec<&Row> =
                self.rows.iter().filter(|row| row.operation.starts_with(letter)).collect();
            rows.sort_by_key(|row| (row.cost, std::cmp::Reverse(row.programs)));
            let _ = write!(text, "\n# {}\n", sort.plural());
            for row in rows {
                let _ = writeln!(text, "{} {:>4}  {}", row.cost, row.programs, row.operation);
            }
        }
        text
    }

    /// Reads a table.
    pub fn read(text: &str) -> Result<Costs, String> {
        let mut rows = Vec::new();
        for (at, line) in text.lines().map(str::trim).enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |what: &str| format!("line {}: {what}: {line}", at + 1);
            let mut words = line.split_whitespace();
            let cost = words.next().and_then(|word| word.parse().ok());
            let cost = cost.filter(|cost| (1..=MAX_COST).contains(cost));
            let programs = words.next().and_then(|word| word.parse().ok());
            rows.push(Row {
                cost: cost.ok_or_else(|| wrong("no cost from 1 to 100"))?,
                programs: programs.ok_or_else(|| wrong("no number of programs after the cost"))?,
                operation: words.collect::<Vec<_>>().join(" "),
            });
        }
        let programs = rows.iter().map(|row| row.programs).max().unwrap_or(0);
        Ok(Costs { programs, rows })
    }
}

/// No operation costs more.
const MAX_COST: u16 = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use batt_lang::program::Definition;

    fn programs(text: &str) -> Vec<Program> {
        let program = |definition| match definition {
            Definition::Program(program) => Some(program),
            Definition::Generated(_) => None,
        };
        batt_lang::text::parse(text).definitions.into_iter().filter_map(program).collect()
    }

    fn row<'a>(costs: &'a Costs, operation: &str) -> &'a Row {
        let mut rows = costs.rows.iter();
        rows.find(|row| row.operation == operation).expect("the operation is there")
    }

    const PROGRAMS: &str = "\
def solve_a(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, UNITY)
    x4 = hmirror(I)
    O = paint(x4, x3)
    return O

def solve_b(I):
    x1 = ofcolor(I, ONE)
    x2 = shift(x1, UNITY)
    x3 = hmirror(x2)
    x4 = vmirror(I)
    x5 = vmirror(I)
    x6 = hconcat(x4, x5)
    O = fill(x6, TWO, x3)
    return O

def solve_c(I):
    x1 = fork(hconcat, identity, vmirror)
    x2 = vmirror(I)
    O = hconcat(I, x2)
    return O
";

    /// Enough programs to outweigh what was guessed.
    fn many() -> Vec<Program> {
        (0..30).flat_map(|_| programs(PROGRAMS)).collect()
    }

    #[test]
    fn operations_are_counted_by_programs_and_by_what_they_take() {
        let operations = Operations::guessed().unwrap();
        let costs = Costs::learn(&operations, &programs(PROGRAMS));
        assert_eq!(costs.programs, 3);
        for (operation, count) in [
            ("G = hmirror(G)", 1),
            ("P = hmirror(P)", 1),
            ("O = hmirror(O)", 0),
            ("O = shift(O, V)", 1),
            ("P = shift(P, V)", 1),
            ("H = objects(G, T, F, T)", 1),
            ("H = objects(G, T, T, T)", 0),
            ("O = argmax(H, size)", 1),
            ("G = vmirror(G)", 2),
            // Both are the same expression, however often it is written.
            ("G = hconcat(G, G)", 1),
            ("G = hconcat(G, G2)", 2),
            ("G = hconcat(G, vmirror(G))", 1),
            ("G = fill(G, K, P)", 1),
            ("G = upscale(G, N)", 0),
        ] {
            assert_eq!(row(&costs, operation).programs, count, "{operation}");
        }
    }

    #[test]
    fn what_is_used_often_is_cheap_and_what_is_not_is_dear() {
        let operations = Operations::guessed().unwrap();
        let costs = Costs::learn(&operations, &many());
        let cost = |operation: &str| row(&costs, operation).cost;
        assert!(cost("G = vmirror(G)") < cost("G = upscale(G, N)"));
        let guessed: Vec<u16> = operations.formulas.iter().map(|formula| formula.cost).collect();
        let nothing = Costs::learn(&operations, &[]);
        let mut same = operations.clone();
        same.set_costs(&nothing).unwrap();
        assert_eq!(same.formulas.iter().map(|one| one.cost).collect::<Vec<_>>(), guessed);
        assert!(costs.rows.iter().all(|row| row.cost > 0));
    }

    #[test]
    fn a_table_is_read_as_it_is_written() {
        let operations = Operations::guessed().unwrap();
        let costs = Costs::learn(&operations, &many());
        let read = Costs::read(&costs.text()).unwrap();
        assert_eq!(read.rows.len(), operations.formulas.len());
        let mut with = [operations.clone(), operations.clone()];
        with[0].set_costs(&costs).unwrap();
        with[1].set_costs(&read).unwrap();
        let costs_of = |of: &Operations| of.formulas.iter().map(|one| one.cost).collect::<Vec<_>>();
        assert_eq!(costs_of(&with[0]), costs_of(&with[1]));
        assert_ne!(costs_of(&with[0]), costs_of(&operations));
        // Written once more it is the same text: names tell operations apart.
        let mut names: Vec<String> = operations.formulas.iter().map(Formula::name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), operations.formulas.len());
    }

    #[test]
    fn bad_tables_are_refused() {
        for (text, says) in [
            ("0 1  G = hmirror(G)", "line 1: no cost"),
            ("# said\nx 1  G = hmirror(G)", "line 2: no cost"),
            ("101 1  G = hmirror(G)", "no cost from 1 to 100"),
            ("3  G = hmirror(G)", "no number of programs"),
        ] {
            let error = Costs::read(text).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
        let costs = Costs::read("3 1  G = turned(G)").unwrap();
        let error = Operations::guessed().unwrap().set_costs(&costs).unwrap_err();
        assert!(error.contains("G = turned(G)"), "{error}");
    }
}
