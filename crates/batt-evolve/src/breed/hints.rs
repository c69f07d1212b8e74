//! What the demo pairs of a task tell: colours that come or go, and how grids are turned.

use batt_lang::program::Definition;
use batt_lang::{Value, text};
use batt_run::reference::eval::{self, Inputs, Policy};

use crate::pool::Genome;

/// Colours over the demo pairs alone, then over the input.
const COLORS: [&str; 13] = [
    "c_iz_n(S, p_g, rbind(get_nth_t, F0))",
    "c_zo_n(S, p_g, rbind(get_nth_t, F0))",
    "c_iz_n(S, p_g, rbind(get_nth_t, F1))",
    "c_zo_n(S, p_g, rbind(get_nth_t, F1))",
    "c_iz_n(S, p_g, rbind(get_nth_t, L1))",
    "c_zo_n(S, p_g, rbind(get_nth_t, L1))",
    "get_color_rank_t(I, F0)",
    "get_color_rank_t(I, F1)",
    "get_color_rank_t(I, L1)",
    "get_color_rank_t(I, L2)",
    "mostcolor(I)",
    "leastcolor(I)",
    "index(I, ORIGIN)",
];

/// The expressions that give something for a task.
#[derive(Debug, Default)]
pub struct Told {
    /// Colours.
    pub colors: Vec<Genome>,
    /// Whether all demos are turned alike: `a_mr` gives something.
    pub turned: bool,
}

impl Told {
    /// What the demos tell. What fails on one of them tells nothing.
    pub fn of(s: &Value, inputs: &[&Value]) -> Told {
        let gives = |genome: &Genome| {
            let program = genome.program();
            inputs
                .iter()
                .all(|i| eval::run(&program, &Inputs { s, i, c: None }, Policy::Strict).is_ok())
        };
        let colors: Vec<Genome> = COLORS.iter().filter_map(|text| genome(text)).collect();
        Told {
            colors: colors.into_iter().filter(|genome| gives(genome)).collect(),
            turned: genome("a_mr(S)").is_some_and(|genome| gives(&genome)),
        }
    }
}

fn genome(expression: &str) -> Option<Genome> {
    let source = format!("def solve(S, I, C):\n    return {expression}\n");
    match text::parse(&source).definitions.pop() {
        Some(Definition::Program(program)) => Some(Genome::read(&program)),
        _ => None,
    }
}
