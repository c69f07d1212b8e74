//! Reach: the cells that a set of cells reaches, such as its neighbours, its rows or what lies to its right.

use crate::bits::{Bits, cells, has, insert};
use crate::native::Item;
use crate::scene::{Extent, Scene};

/// How far cells reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Their neighbours.
    Around,
    /// Their straight neighbours.
    Straight,
    /// The boxes of the items that they make up.
    Box,
    /// Their rows.
    Rows,
    /// Their columns.
    Columns,
    /// What lies to the right, and they themselves.
    Right,
    /// What lies to the left, and they themselves.
    Left,
    /// What lies above, and they themselves.
    Up,
    /// What lies below, and they themselves.
    Down,
}

const AROUND: [(i32, i32); 8] =
    [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

impl Reach {
    /// All of them.
    pub const ALL: [Reach; 9] = [
        Reach::Around,
        Reach::Straight,
        Reach::Box,
        Reach::Rows,
        Reach::Columns,
        Reach::Right,
        Reach::Left,
        Reach::Up,
        Reach::Down,
    ];

    /// The cells that some cells reach, where `items` are what they are made up of, by grid.
    pub fn of(self, scene: &Scene, from: &[u64], items: &[Vec<Item>]) -> Bits {
        let mut out = scene.none();
        for (extent, items) in scene.extents.iter().zip(items) {
            if self == Reach::Box {
                let is_there = |item: &&Item| {
                    let (_, i, j) = item.cells[0];
                    extent.cell(i, j).is_some_and(|cell| has(from, cell))
                };
                for item in items.iter().filter(is_there) {
                    for i in item.top..=item.bottom {
                        for j in item.left..=item.right {
                            extent.cell(i, j).into_iter().for_each(|cell| insert(&mut out, cell));
                        }
                    }
                }
                continue;
            }
            for (i, j) in locations(from, extent) {
                let mut see = |i: i32, j: i32| match extent.cell(i, j) {
                    Some(cell) => {
                        insert(&mut out, cell);
                        true
                    }
                    None => false,
                };
                let longest = extent.height.max(extent.width) as i32;
                let mut along = |di: i32, dj: i32| {
                    (0..longest).take_while(|n| see(i + di * n, j + dj * n)).count()
                };
                match self {
                    Reach::Around => AROUND.iter().for_each(|(a, b)| _ = see(i + a, j + b)),
                    Reach::Straight => AROUND[..4].iter().for_each(|(a, b)| _ = see(i + a, j + b)),
                    Reach::Rows => _ = (along(0, 1), along(0, -1)),
                    Reach::Columns => _ = (along(1, 0), along(-1, 0)),
                    Reach::Right => _ = along(0, 1),
                    Reach::Left => _ = along(0, -1),
                    Reach::Up => _ = along(-1, 0),
                    Reach::Down => _ = along(1, 0),
                    Reach::Box => {}
                }
            }
        }
        out
    }
}

/// The cells of a set that lie on one grid.
fn locations(from: &[u64], extent: &Extent) -> Vec<(i32, i32)> {
    let inside = extent.start..extent.start + extent.area();
    let first = extent.start / 64;
    let last = inside.end.div_ceil(64).min(from.len());
    cells(&from[first..last])
        .map(|cell| cell + first * 64)
        .filter(|cell| inside.contains(cell))
        .map(|cell| {
            let at = cell - extent.start;
            ((at / extent.width) as i32, (at % extent.width) as i32)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use batt_run::tasks::Grid;

    use super::*;
    use crate::bits::count;

    #[test]
    fn cells_reach_along_their_rows_and_columns() {
        let grid = Grid::from_rows(&[[0, 0, 0], [0, 5, 0], [0, 0, 0]]).unwrap();
        let scene = Scene::new(std::slice::from_ref(&grid), &[&grid]).unwrap();
        let from = scene.cells_of(&scene.own, 5);
        let items = vec![vec![Item::new(vec![(5, 1, 1)]).unwrap()]];
        let reached = |reach: Reach| count(&reach.of(&scene, &from, &items));
        let all: Vec<u32> = Reach::ALL.into_iter().map(reached).collect();
        assert_eq!(all, [8, 4, 1, 3, 3, 2, 2, 2, 2]);
    }
}
