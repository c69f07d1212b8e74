//! Functions that are known while compiling: their structure, with captured values as slots.

use rustc_hash::FxHashMap as HashMap;

use super::SlotId;
use crate::limits::{MAX_FUNCTION, MAX_NESTING};
use crate::ops::{Op, Prim};

/// A known function's place among all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FnId(u32);

/// What a combinator was given: a value, or a function that is known too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FnArg {
    /// A value, or a function known only at run time.
    Slot(SlotId),
    /// A known function.
    Fn(FnId),
}

/// A known function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FnTerm {
    /// A primitive.
    Prim(Prim),
    /// What a combinator made.
    Made {
        /// The combinator.
        maker: Op,
        /// What it was given.
        args: Box<[FnArg]>,
    },
    /// One of two known functions, chosen at run time.
    Choice {
        /// The condition.
        condition: SlotId,
        /// Taken when it is true.
        then: FnId,
        /// Taken when it is false.
        other: FnId,
    },
}

/// What the compiler keeps about a known function.
#[derive(Clone, Debug)]
pub struct FnInfo {
    /// Its structure.
    pub term: FnTerm,
    /// How many arguments it takes.
    pub arity: usize,
    /// How many primitives it is built from.
    pub weight: u32,
    /// How deep combinators nest in it.
    pub depth: u32,
    /// Every slot that it captures. An error among them is an error of the function itself.
    pub captures: Box<[SlotId]>,
}

/// All known functions, each distinct structure once.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    infos: Vec<FnInfo>,
    ids: HashMap<FnTerm, FnId>,
}

impl Functions {
    /// What is known of a function.
    pub fn get(&self, id: FnId) -> &FnInfo {
        &self.infos[id.0 as usize]
    }

    /// A primitive as a function.
    pub fn prim(&mut self, prim: Prim) -> FnId {
        self.intern(FnTerm::Prim(prim), prim.arity(), 1, 0, Vec::new())
    }

    /// What a combinator makes of its arguments; `None` past the limits on functions.
    pub fn made(&mut self, maker: Op, args: &[FnArg], arity: usize) -> Option<FnId> {
        let (mut weight, mut depth, mut captures) = (0u32, 0, Vec::new());
        for arg in args {
            match arg {
                FnArg::Slot(slot) => captures.push(*slot),
                FnArg::Fn(f) => {
                    let info = self.get(*f);
                    weight = weight.saturating_add(info.weight);
                    depth = depth.max(info.depth);
                    captures.extend_from_slice(&info.captures);
                }
            }
        }
        let (weight, depth) = (weight.max(1), depth + 1);
        if weight > MAX_FUNCTION || depth > MAX_NESTING {
            return None;
        }
        Some(self.intern(FnTerm::Made { maker, args: args.into() }, arity, weight, depth, captures))
    }

    /// One of two functions of the same arity; `None` where the arities differ.
    pub fn choice(&mut self, condition: SlotId, then: FnId, other: FnId) -> Option<FnId> {
        let (a, b) = (self.get(then), self.get(other));
        if a.arity != b.arity {
            return None;
        }
        let (arity, weight, depth) =
            (a.arity, a.weight.saturating_add(b.weight), a.depth.max(b.depth));
        let mut captures = vec![condition];
        captures.extend_from_slice(&a.captures);
        captures.extend_from_slice(&b.captures);
        Some(self.intern(FnTerm::Choice { condition, then, other }, arity, weight, depth, captures))
    }

    fn intern(
        &mut self,
        term: FnTerm,
        arity: usize,
        weight: u32,
        depth: u32,
        mut captures: Vec<SlotId>,
    ) -> FnId {
        if let Some(id) = self.ids.get(&term) {
            return *id;
        }
        captures.sort_unstable();
        captures.dedup();
        let id = FnId(self.infos.len() as u32);
        self.ids.insert(term.clone(), id);
        self.infos.push(FnInfo { term, arity, weight, depth, captures: captures.into() });
        id
    }
}
