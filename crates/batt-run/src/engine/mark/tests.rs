use std::collections::HashSet;

use batt_lang::value::Function;
use batt_lang::{Op, Prim};

use super::*;
use crate::random::{self, Rng};

fn digest(value: &Value) -> u64 {
    Mark::of(value, None).digest
}

#[test]
fn a_mark_counts_cells_by_the_larger_grid() {
    let grid = Value::grid(&[[1, 2], [3, 4]]);
    let cells = |other: &Value| Mark::of(other, Some(&grid)).cells;
    assert_eq!(cells(&grid), FULL);
    assert_eq!(cells(&Value::grid(&[[1, 2], [3, 5]])), 750);
    assert_eq!(cells(&Value::grid(&[[1, 2, 0], [3, 4, 0]])), 666);
    assert_eq!(cells(&Value::Int(3)), 0);
    // No ARC grids.
    assert_eq!(cells(&Value::grid(&[[1, 2], [3, 17]])), 0);
    assert_eq!(cells(&Value::grid(&[[1, 2], [3, 10]])), 0);
    assert_eq!(cells(&Value::grid(&[[1, 2], [3, -4]])), 0);
}

/// A grid as bits, its cells the digits of a number.
fn numbered(height: u32, width: u32, colors: u32, mut number: u32) -> Bits {
    let mut bits = Bits { planes: [[0; 32]; 4], height, width };
    for at in 0..height * width {
        let color = number % colors;
        number /= colors;
        for (k, plane) in bits.planes.iter_mut().enumerate() {
            plane[(at / width) as usize] |= (color >> k & 1) << (at % width);
        }
    }
    bits
}

/// Every grid of these sizes and colours, and every one of them has a digest of its own.
#[test]
fn small_grids_never_share_a_digest() {
    let mut met = HashSet::new();
    let mut count = 0_usize;
    let shapes: [(u32, u32, u32); 14] = [
        (2, 2, 16),
        (1, 1, 16),
        (1, 2, 16),
        (2, 1, 16),
        (1, 3, 16),
        (3, 1, 16),
        (1, 4, 16),
        (4, 1, 16),
        (1, 5, 10),
        (5, 1, 10),
        (2, 3, 8),
        (3, 2, 8),
        (3, 3, 4),
        (4, 4, 2),
    ];
    for (height, width, colors) in shapes {
        for number in 0..colors.pow(height * width) {
            met.insert(numbered(height, width, colors, number).digest());
            count += 1;
        }
    }
    // No colour but 0: the sizes alone tell these apart.
    for (height, width) in (1..=32).flat_map(|h| (1..=32).map(move |w| (h, w))) {
        let new = met.insert(numbered(height, width, 1, 0).digest());
        count += usize::from(new);
    }
    assert_eq!(met.len(), count);
    let pair = [[[5, 0], [5, 4]], [[5, 4], [5, 5]]].map(|rows| digest(&Value::grid(&rows)));
    assert_ne!(pair[0], pair[1]);
}

/// Large grids that differ in a cell or two: no digest is shared, the half that short memories keep is
/// shared no more often than chance says, and every cell changes about half of the bits.
#[test]
fn large_grids_share_digests_no_more_than_chance_says() {
    let mut rng = Rng::of_seed(3);
    let empty = Bits::of(&Value::grid(&[[0; 30]; 30])).unwrap();
    let base = empty.digest();
    let (mut grids, mut digests, mut short) = (HashSet::new(), HashSet::new(), HashSet::new());
    let (mut flipped, mut singles) = (0_u32, 0_u32);
    for (cell, color) in (0..900).flat_map(|cell| (1..10).map(move |color| (cell, color))) {
        let mut one = empty.clone();
        set(&mut one, cell, color);
        flipped += (one.digest() ^ base).count_ones();
        singles += 1;
        for _ in 0..30 {
            let mut two = one.clone();
            set(&mut two, rng.below(900), rng.below(10) as u32);
            let digest = two.digest();
            grids.insert(two.planes);
            digests.insert(digest);
            short.insert((digest ^ (digest >> 32)) as u32);
        }
    }
    assert!(grids.len() > 200_000 && digests.len() == grids.len());
    let (shared, count) = (digests.len() - short.len(), digests.len() as f64);
    let expected = count * count / 2_f64.powi(33);
    assert!(shared as f64 <= 2.0 * expected + 10.0, "{shared} shared, {expected} by chance");
    let mean = f64::from(flipped) / f64::from(singles);
    assert!((31.5..32.5).contains(&mean), "{mean} of 64 bits change with a cell");
}

fn set(bits: &mut Bits, cell: usize, color: u32) {
    let (i, j) = (cell / 30, cell % 30);
    for (k, plane) in bits.planes.iter_mut().enumerate() {
        plane[i] = plane[i] & !(1 << j) | (color >> k & 1) << j;
    }
}

/// Whatever has other items, another order, another nesting or another kind has another digest, and
/// what is equal has the same.
#[test]
fn values_that_are_no_grids_share_a_digest_exactly_when_they_are_equal() {
    let mut values = vec![Value::Null, Value::empty_tuple(), Value::empty_set()];
    values.extend((-300..300).map(Value::Int));
    let small: Vec<i32> = (-4..20).collect();
    for (a, b) in small.iter().flat_map(|a| small.iter().map(move |b| (*a, *b))) {
        values.push(Value::Pair(a, b));
        values.push(Value::set(vec![Value::Int(a), Value::Int(b)]));
        values.push(Value::tuple(vec![Value::set(vec![Value::Int(a)]), Value::Int(b)]));
        values.push(Value::tuple(vec![Value::Pair(a, b), Value::Null]));
        for c in [0, 1, 7] {
            values.push(Value::Cell(a, b, c));
            values.push(Value::tuple([a, b, c].map(Value::Int).to_vec()));
            values.push(Value::set(vec![Value::Cell(c, a, b), Value::Cell(c, b, a)]));
            values.push(Value::set(vec![Value::Pair(a, c), Value::Pair(c, b)]));
        }
    }
    // Rotations of the same items, long enough that any rotation of bits comes around.
    for shift in 0..130 {
        let mut items: Vec<Value> = (0..130).map(|n| Value::Int(n % 5)).collect();
        items.rotate_left(shift);
        values.push(Value::tuple(items));
    }
    for nested in 1..40 {
        let wrap = |value, _| Value::tuple(vec![value]);
        values.push((0..nested).fold(Value::Int(1), wrap));
        values.push((0..nested).fold(Value::empty_tuple(), wrap));
    }
    let mut rng = Rng::of_seed(5);
    values.extend((0..20_000).map(|_| random::value(&mut rng)));
    values.sort();
    values.dedup();
    let digests: HashSet<u64> = values.iter().map(digest).collect();
    assert_eq!(digests.len(), values.len());
    assert!(values.len() > 8_000, "{}", values.len());
    let truth = [Value::Bool(true), Value::Int(1)].map(|v| Value::set(vec![v, Value::Null]));
    assert_eq!(digest(&truth[0]), digest(&truth[1]));
}

#[test]
fn functions_share_a_digest_exactly_when_they_are_equal() {
    let plain = |op: Op| Value::function(Function::Prim(Prim::from(op)));
    let made = |maker, args: Vec<Value>| Value::function(Function::made(maker, args, 1));
    let mut all: Vec<Value> = Op::ALL.iter().map(|op| plain(*op)).collect();
    for op in [Op::Add, Op::Subtract, Op::Hmirror, Op::Vmirror] {
        for n in -3..12 {
            all.push(made(Op::Rbind, vec![plain(op), Value::Int(n)]));
            all.push(made(Op::Lbind, vec![plain(op), Value::Int(n)]));
            let inner = made(Op::Lbind, vec![plain(op), Value::Int(n)]);
            all.push(made(Op::Compose, vec![inner.clone(), plain(op)]));
            all.push(made(Op::Compose, vec![plain(op), inner]));
        }
    }
    all.push(Value::function(Function::Nothing));
    let digests: HashSet<u64> = all.iter().map(digest).collect();
    assert_eq!(digests.len(), all.len());
    // Equal values, of which one is written otherwise.
    let [truth, one] = [Value::Bool(true), Value::Int(1)]
        .map(|value| made(Op::Rbind, vec![plain(Op::Add), value]));
    assert_eq!(truth, one);
    assert_eq!(digest(&truth), digest(&one));
}
