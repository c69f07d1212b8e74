//! What decides a run.

use std::time::Duration;

use serde::Serialize;

use super::Seed;

/// How to breed. Everything but `checkpoint` decides what a run finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// What all chance follows from.
    pub seed: u64,
    /// How many programs stay, per task and island.
    pub population: u32,
    /// How many children a generation has, per task and island.
    pub children: u32,
    /// How many islands there are.
    pub islands: u32,
    /// How many programs the archive keeps, per task.
    pub keep: u32,
    /// Whether tasks that are solved have fewer children.
    pub rest: bool,
    /// The least time between two commits; stopping commits too.
    pub checkpoint: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 0,
            population: 128,
            children: 1024,
            islands: 2,
            keep: 16,
            rest: true,
            checkpoint: Duration::from_secs(2),
        }
    }
}

/// All units together remember so many programs.
const MEMORY: usize = 1 << 24;

#[derive(Serialize)]
struct Text {
    population: u32,
    children: u32,
    islands: u32,
    keep: u32,
    rest: bool,
    seeds: String,
    search: u32,
}

/// Changes whenever the same seed would lead elsewhere, so that no run goes on where another kind of
/// search began it.
const SEARCH: u32 = 2;

/// What another version of batt wrote about a run, if that is all that differs.
pub(super) fn is_other_version(theirs: &str, ours: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    let (Some(mut theirs), Some(ours)) = (read(theirs), read(ours)) else { return false };
    let differs = theirs["search"] != ours["search"];
    theirs["search"] = ours["search"].clone();
    differs && theirs == ours
}

impl Config {
    /// How many programs a unit remembers.
    pub(super) fn memory(&self, tasks: usize) -> usize {
        let units = tasks.saturating_mul(self.islands as usize).max(1);
        (MEMORY / units).clamp(1 << 13, 1 << 19)
    }

    /// How many children a unit has: what is solved needs fewer, for better solutions and for parts that
    /// others take.
    pub(super) fn children_of(&self, solved: bool) -> usize {
        let children = self.children as usize;
        if solved && self.rest { children / 8 } else { children }
    }

    /// Everything but the seed that decides a run, in one fixed order.
    pub(super) fn text(&self, seeds: &[Seed]) -> String {
        let text = Text {
            population: self.population,
            children: self.children,
            islands: self.islands,
            keep: self.keep,
            rest: self.rest,
            seeds: super::seeds::hash(seeds),
            search: SEARCH,
        };
        serde_json::to_string(&text).unwrap_or_default()
    }
}
