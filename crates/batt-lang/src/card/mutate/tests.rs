use super::*;
use crate::program::Definition;
use crate::text;

const PROGRAM: &str = "
def solve_a(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = recolor(RED, x2)
    x4 = compose(vmirror, hmirror)
    x5 = trim(x4(rot90(I)))
    x6 = paint(x5, x3)
    x7 = shift(x2, DOWN)
    x8 = fill(x6, FOUR, x7)
    x9 = crop(x8, (0, 1), (2, 3))
    x10 = hconcat(x9, rot90(x9))
    x11 = upscale(x10, 2)
    O = vconcat(x11, x6)
    return O
";

fn program() -> Program {
    match text::parse(PROGRAM).definitions.pop() {
        Some(Definition::Program(p)) => p,
        other => panic!("{other:?}"),
    }
}

fn different(a: &str, b: &str) -> usize {
    a.lines().zip(b.lines()).filter(|(a, b)| a != b).count()
}

#[test]
fn lines_change_at_the_rate_that_is_asked_for() {
    let (mut lines, mut changed) = (0, 0);
    for seed in 0..300 {
        let (mutant, count) = mutate(&program(), 0.3, &mut Dice::new(seed, 0));
        assert_eq!(count.lines, 12);
        // Nothing is counted as changed that reads as before.
        assert_eq!(mutant == program(), count.changed == 0);
        lines += count.lines;
        changed += count.changed;
    }
    // 30 % of 3,600 lines.
    assert_eq!(lines, 3_600);
    assert!((970..1_190).contains(&changed), "{changed}");
}

#[test]
fn every_line_can_change_and_stays_a_program() {
    let before = text::print(&program());
    for seed in 0..200 {
        let (mutant, count) = mutate(&program(), 1.0, &mut Dice::new(seed, 0));
        assert_eq!((count.lines, count.changed), (12, 12), "{}", text::print(&mutant));
        let after = text::print(&mutant);
        let module = text::parse(&after);
        assert!(module.problems.is_empty(), "{after}\n{:?}", module.problems);
        assert!(different(&before, &after) > 0);
        assert!(!mutant.reads(Input::C));
    }
}

#[test]
fn nothing_changes_at_rate_zero_and_a_seed_repeats() {
    assert_eq!(mutate(&program(), 0.0, &mut Dice::new(1, 0)).0, program());
    let of = |seed| text::print(&mutate(&program(), 0.5, &mut Dice::new(seed, 3)).0);
    assert_eq!(of(5), of(5));
    assert_ne!(of(5), of(6));
}

/// Colours hardly ever changed in the past; all sorts of change must occur.
#[test]
fn constants_functions_and_variables_all_change() {
    let mut seen = [false; 5];
    for seed in 0..100 {
        let after = text::print(&mutate(&program(), 0.3, &mut Dice::new(seed, 0)).0);
        let color = after.lines().find(|l| l.contains("recolor(")).unwrap_or("");
        seen[0] |= ["BLUE", "GREEN", "CYAN", "GRAY"].iter().any(|c| color.contains(c));
        seen[1] |= after.contains("argmin(");
        seen[2] |= after.contains("compose(hmirror, hmirror)");
        seen[3] |= after.contains("paint(I, ");
        let crop = after.lines().find(|l| l.contains("crop(")).unwrap_or("(0, 1)");
        seen[4] |= !crop.contains("(0, 1)");
    }
    assert_eq!(seen, [true; 5]);
}

#[test]
fn constants_stay_within_their_kind() {
    for (id, constant) in constants::all() {
        for other in constants_like(id) {
            assert_eq!(other.get().kind, constant.kind);
            assert_ne!(other.get().value, constant.value);
        }
    }
}
