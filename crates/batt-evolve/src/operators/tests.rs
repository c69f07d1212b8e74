use batt_lang::program::Definition;
use batt_lang::{Program, text};
use batt_run::programs;

use super::*;
use crate::pool::{Genome, KindId};

fn embedded() -> Vec<Program> {
    let texts = programs::embedded().iter();
    let definitions = texts.flat_map(|(_, source)| text::parse(source).definitions);
    let programs = definitions.filter_map(|definition| match definition {
        Definition::Program(program) => Some(program),
        Definition::Generated(_) => None,
    });
    programs.collect()
}

/// What an operator makes of every embedded program, some times each.
fn children(operator: Operator, times: u64) -> (Pool, Vec<(Gene, Gene)>, usize) {
    let mut pool = Pool::default();
    let roots: Vec<Gene> =
        embedded().iter().map(|program| Genome::read(program).add_to(&mut pool)).collect();
    let parts: Vec<Vec<Gene>> = roots.iter().map(|root| pool.parts(*root)).collect();
    let donors: Vec<&[Gene]> = parts.iter().map(Vec::as_slice).collect();
    let color = match text::parse("def f(I):\n    return leastcolor(I)\n").definitions.pop() {
        Some(Definition::Program(program)) => Genome::read(&program).add_to(&mut pool),
        other => panic!("{other:?}"),
    };
    let hints = Hints { colors: vec![color], turned: true };
    let (mut made, mut ill_typed) = (Vec::new(), 0);
    for (at, root) in roots.iter().enumerate() {
        for stream in 0..times {
            let mut dice = Dice::new(at as u64, stream);
            let mut draft = Draft {
                pool: &mut pool,
                parts: &parts[at],
                donors: &donors,
                hints: &hints,
                dice: &mut dice,
            };
            match draft.propose(operator) {
                Proposal::Nothing => {}
                Proposal::IllTyped => ill_typed += 1,
                Proposal::Child(child) => made.push((*root, child)),
            }
        }
    }
    (pool, made, ill_typed)
}

#[test]
fn every_operator_makes_programs_that_can_be_written_and_read() {
    for operator in Operator::ALL {
        let (mut pool, made, ill_typed) = children(operator, 20);
        let name = operator.name();
        assert!(made.len() >= 100, "{name} made {}", made.len());
        assert!(made.len() > 2 * ill_typed, "{name}: {} of {ill_typed} ill-typed", made.len());
        for (parent, child) in made {
            assert_ne!(parent, child, "{name}");
            assert!(pool.table.is_output(pool.kind(child)), "{name}");
            let program = Genome::of(&mut pool, child).program();
            let written = text::print(&program);
            let module = text::parse(&written);
            assert!(module.problems.is_empty(), "{name}: {written}\n{:?}", module.problems);
            assert!(!program.reads(batt_lang::Input::C), "{name}: {written}");
        }
    }
}

#[test]
fn constants_stay_within_their_kind_and_colours_within_ten() {
    let (mut pool, made, _) = children(Operator::Constant, 40);
    let constants = |pool: &mut Pool, root: Gene| -> Vec<batt_lang::constants::ConstId> {
        let parts = pool.parts(root);
        let all = parts.iter().filter_map(|gene| match pool.node(*gene).head {
            Head::Const(id) => Some(id),
            _ => None,
        });
        all.collect()
    };
    for (parent, child) in made {
        let before = constants(&mut pool, parent);
        let after = constants(&mut pool, child);
        for new in after.iter().filter(|id| !before.contains(id)) {
            let kinds: Vec<_> = before.iter().map(|id| id.get().kind).collect();
            assert!(kinds.contains(&new.get().kind), "{:?}", new.get());
            assert!(new.value().as_int().is_none_or(|n| n.abs() <= 10), "{:?}", new.get());
        }
    }
}

#[test]
fn pairs_bring_the_demos_in() {
    let (mut pool, made, _) = children(Operator::Pairs, 40);
    let turned = made.iter().any(|(_, child)| {
        text::print(&Genome::of(&mut pool, *child).program()).contains("a_mr(S)")
    });
    let colored = made.iter().any(|(_, child)| {
        text::print(&Genome::of(&mut pool, *child).program()).contains("leastcolor(I)")
    });
    assert!(turned && colored);
}

#[test]
fn duplicates_grow_and_deletions_shrink() {
    let size = |pool: &mut Pool, root: Gene| pool.parts(root).len();
    let (mut pool, made, _) = children(Operator::Duplicate, 20);
    for (parent, child) in made {
        assert!(size(&mut pool, child) + 2 >= size(&mut pool, parent));
    }
    let (mut pool, made, _) = children(Operator::Delete, 20);
    for (parent, child) in made {
        assert!(size(&mut pool, child) < size(&mut pool, parent));
    }
}

#[test]
fn laws_find_what_is_already_there() {
    let source =
        "def f(I):\n    x = hmirror(hmirror(I))\n    return combine(rot90(rot270(x)), x)\n";
    let Some(Definition::Program(program)) = text::parse(source).definitions.pop() else {
        panic!("cannot be read");
    };
    let mut pool = Pool::default();
    let root = Genome::read(&program).add_to(&mut pool);
    let parts = pool.parts(root);
    let found = laws(&pool, &parts);
    assert_eq!(found.len(), 2);
    let input = parts[0];
    assert!(found.contains(&(parts[2], input)));
    assert_eq!(pool.kind(input), KindId::GRID);
}
