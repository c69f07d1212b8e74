//! Kinds of real values against the kinds that the table asks for.
//!
//! `Any` is what is not known: it fits everywhere, and a letter that is bound to it says nothing.

use super::{Kind, Op};

/// What the letters of a signature stand for.
#[derive(Clone, Debug, Default)]
pub struct Letters(Vec<(char, Kind)>);

impl Letters {
    fn bind(&mut self, letter: char, kind: &Kind) -> bool {
        match self.0.iter_mut().find(|(l, _)| *l == letter) {
            Some((_, bound)) if *bound == Kind::Any => *bound = kind.clone(),
            Some((_, bound)) => return bound == kind || *kind == Kind::Any,
            None => self.0.push((letter, kind.clone())),
        }
        true
    }

    /// What a letter stands for.
    pub fn get(&self, letter: char) -> Option<&Kind> {
        self.0.iter().find(|(l, _)| *l == letter).map(|(_, kind)| kind)
    }

    /// A kind with its letters replaced; a letter that stands for nothing yet stays.
    pub fn fill(&self, kind: &Kind) -> Kind {
        let boxed = |k: &Kind| Box::new(self.fill(k));
        match kind {
            Kind::Var(letter) => self.get(*letter).unwrap_or(kind).clone(),
            Kind::Tup(k) => Kind::Tup(boxed(k)),
            Kind::Set(k) => normal(Kind::Set(boxed(k))),
            Kind::Cont(k) => Kind::Cont(boxed(k)),
            Kind::Fn(params, result) => {
                Kind::Fn(params.iter().map(|p| self.fill(p)).collect(), boxed(result))
            }
            plain => plain.clone(),
        }
    }
}

/// Sets of cells and of locations have names of their own.
fn normal(kind: Kind) -> Kind {
    match kind {
        Kind::Set(k) if *k == Kind::Cell => Kind::Object,
        Kind::Set(k) if *k == Kind::IJ => Kind::Indices,
        other => other,
    }
}

/// What a tuple of this kind holds.
pub fn tuple_item(kind: &Kind) -> Option<Kind> {
    match kind {
        Kind::Tup(k) => Some((**k).clone()),
        Kind::Grid => Some(Kind::Tup(Box::new(Kind::Int))),
        Kind::IJ => Some(Kind::Int),
        Kind::Pairs => Some(Kind::Tup(Box::new(Kind::Grid))),
        _ => None,
    }
}

/// What a set of this kind holds.
pub fn set_item(kind: &Kind) -> Option<Kind> {
    match kind {
        Kind::Set(k) => Some((**k).clone()),
        Kind::Object => Some(Kind::Cell),
        Kind::Indices => Some(Kind::IJ),
        _ => None,
    }
}

/// Whether a value of kind `have` fits where `want` is asked for; letters are bound on the way.
pub fn fits(want: &Kind, have: &Kind, letters: &mut Letters) -> bool {
    match (want, have) {
        (Kind::Var(letter), kind) => letters.bind(*letter, kind),
        (Kind::Any, _)
        | (_, Kind::Any)
        | (Kind::Num, Kind::Int | Kind::IJ)
        | (Kind::Patch, Kind::Object | Kind::Indices)
        | (Kind::Piece, Kind::Grid | Kind::Object | Kind::Indices)
        | (Kind::Element, Kind::Grid | Kind::Object) => true,
        (Kind::Tup(k), have) => tuple_item(have).is_some_and(|item| fits(k, &item, letters)),
        (Kind::Set(k), have) => set_item(have).is_some_and(|item| fits(k, &item, letters)),
        (Kind::Cont(k), have) => {
            let item = tuple_item(have).or_else(|| set_item(have));
            item.is_some_and(|item| fits(k, &item, letters))
        }
        (Kind::Fn(params, result), Kind::Fn(others, other)) => {
            params.len() == others.len()
                && params.iter().zip(others).all(|(p, o)| fits(p, o, letters))
                && fits(result, other, letters)
        }
        (want, have) => want == have,
    }
}

/// The kind of what a primitive gives for arguments of these kinds.
pub fn result(op: Op, args: &[Kind], letters: &Letters) -> Kind {
    let info = op.info();
    let of = |class: &[Kind]| args.iter().find(|a| class.contains(a)).cloned();
    let like = |inner: Kind| {
        let at = info.params.iter().position(|p| matches!(p.kind, Kind::Cont(_)));
        let set = at.and_then(|at| args.get(at)).is_some_and(|a| set_item(a).is_some());
        if set { normal(Kind::Set(Box::new(inner))) } else { Kind::Tup(Box::new(inner)) }
    };
    match (&info.result, op) {
        (Kind::Num, _) if args.contains(&Kind::IJ) => Kind::IJ,
        (Kind::Num, _) => Kind::Int,
        (Kind::Patch, _) => of(&[Kind::Object, Kind::Indices]).unwrap_or(Kind::Indices),
        (Kind::Piece, _) => of(&[Kind::Grid, Kind::Object, Kind::Indices]).unwrap_or(Kind::Grid),
        (Kind::Element, _) => of(&[Kind::Grid, Kind::Object]).unwrap_or(Kind::Grid),
        // The table says a set; what they give is like their container.
        (Kind::Set(k), Op::Mapply | Op::Mfilter) | (Kind::Cont(k), _) => like(letters.fill(k)),
        // Two ints together are a pair.
        (_, Op::Product) if letters.get('A') == Some(&Kind::Int) => Kind::Indices,
        (_, Op::Pair) if letters.get('A') == Some(&Kind::Int) => Kind::Tup(Box::new(Kind::IJ)),
        (kind, _) => letters.fill(kind),
    }
}

/// Whether any letter in a kind stands for nothing.
pub fn open(kind: &Kind) -> bool {
    match kind {
        Kind::Var(_) => true,
        Kind::Tup(k) | Kind::Set(k) | Kind::Cont(k) => open(k),
        Kind::Fn(params, result) => params.iter().any(open) || open(result),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(k: Kind) -> Kind {
        Kind::Set(Box::new(k))
    }

    #[test]
    fn letters_carry_kinds_from_arguments_to_results() {
        let op = Op::Argmax;
        let mut letters = Letters::default();
        assert!(fits(&op.info().params[0].kind, &set(Kind::Object), &mut letters));
        assert_eq!(result(op, &[set(Kind::Object)], &letters), Kind::Object);
        let size = Kind::Fn(vec![Kind::Object], Box::new(Kind::Int));
        assert!(fits(&op.info().params[1].kind, &size, &mut letters));
        let even = Kind::Fn(vec![Kind::Int], Box::new(Kind::Int));
        assert!(!fits(&op.info().params[1].kind, &even, &mut letters));
    }

    #[test]
    fn results_are_like_their_container() {
        let mut letters = Letters::default();
        assert!(fits(&Op::Merge.info().params[0].kind, &set(Kind::Object), &mut letters));
        assert_eq!(result(Op::Merge, &[set(Kind::Object)], &letters), Kind::Object);
        let mut letters = Letters::default();
        assert!(fits(&Op::First.info().params[0].kind, &Kind::Pairs, &mut letters));
        assert_eq!(result(Op::First, &[Kind::Pairs], &letters).to_string(), "Tup<Grid>");
    }
}
