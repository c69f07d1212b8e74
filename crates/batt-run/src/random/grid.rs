//! Random grids and tasks.

use super::Rng;
use crate::tasks::{Example, Grid, Task};

/// A random grid of 1×1 to 30×30 cells, small ones more often: objects, lines, noise, tiles or
/// symmetry over a background, in few colours.
pub fn grid(rng: &mut Rng) -> Grid {
    let mut side = || match rng.below(10) {
        0 => rng.between(1, 2),
        1..=6 => rng.between(3, 10),
        7 | 8 => rng.between(8, 18),
        _ => rng.between(15, 30),
    };
    let (height, width) = (side(), side());
    let background = if rng.chance(800) { 0 } else { rng.below(10) as u8 };
    let colors: Vec<u8> = (0..rng.between(1, 4)).map(|_| rng.below(10) as u8).collect();
    let mut rows = vec![vec![background; width]; height];
    for _ in 0..rng.between(1, 3) {
        match rng.below(5) {
            0 => boxes(rng, &mut rows, &colors),
            1 => lines(rng, &mut rows, &colors),
            2 => noise(rng, &mut rows, &colors),
            3 => specks(rng, &mut rows, &colors),
            _ => mirror(rng, &mut rows),
        }
    }
    // The rows are within the bounds, so this is a grid.
    Grid::from_rows(&rows).unwrap_or_else(|| blank(background))
}

fn blank(color: u8) -> Grid {
    Grid::from_rows(&[[color.min(9)]]).expect("one cell is a grid")
}

fn color(rng: &mut Rng, colors: &[u8]) -> u8 {
    rng.pick(colors).copied().unwrap_or(1)
}

fn boxes(rng: &mut Rng, rows: &mut [Vec<u8>], colors: &[u8]) {
    let (height, width) = (rows.len(), rows[0].len());
    for _ in 0..rng.between(1, 4) {
        let (h, w) = (rng.between(1, height.min(6)), rng.between(1, width.min(6)));
        let (top, left) = (rng.below(height - h + 1), rng.below(width - w + 1));
        let (paint, hollow) = (color(rng, colors), rng.chance(300));
        for (i, row) in rows.iter_mut().enumerate().skip(top).take(h) {
            for (j, cell) in row.iter_mut().enumerate().skip(left).take(w) {
                let edge = i == top || i + 1 == top + h || j == left || j + 1 == left + w;
                if edge || !hollow {
                    *cell = paint;
                }
            }
        }
    }
}

fn lines(rng: &mut Rng, rows: &mut [Vec<u8>], colors: &[u8]) {
    for _ in 0..rng.between(1, 2) {
        let paint = color(rng, colors);
        if rng.chance(500) {
            let at = rng.below(rows.len());
            rows[at].fill(paint);
        } else {
            let at = rng.below(rows[0].len());
            for row in rows.iter_mut() {
                row[at] = paint;
            }
        }
    }
}

fn noise(rng: &mut Rng, rows: &mut [Vec<u8>], colors: &[u8]) {
    let density = rng.between(50, 500);
    for cell in rows.iter_mut().flatten() {
        if rng.chance(density) {
            *cell = color(rng, colors);
        }
    }
}

fn specks(rng: &mut Rng, rows: &mut [Vec<u8>], colors: &[u8]) {
    for _ in 0..rng.between(1, 5) {
        let (i, j) = (rng.below(rows.len()), rng.below(rows[0].len()));
        rows[i][j] = color(rng, colors);
    }
}

fn mirror(rng: &mut Rng, rows: &mut [Vec<u8>]) {
    if rng.chance(500) {
        for i in 0..rows.len() / 2 {
            let copy = rows[i].clone();
            let last = rows.len() - 1;
            rows[last - i] = copy;
        }
    } else {
        for row in rows {
            let last = row.len() - 1;
            for j in 0..row.len() / 2 {
                row[last - j] = row[j];
            }
        }
    }
}

/// A random task: 2 to 5 demos and one or two tests, each output its input in other colours, turned
/// or anything at all.
pub fn task(rng: &mut Rng) -> Task {
    let rule = rng.below(4);
    let (from, to) = (rng.below(10) as u8, rng.below(10) as u8);
    let mut example = || {
        let input = grid(rng);
        let rows: Vec<Vec<u8>> = input.rows().map(<[u8]>::to_vec).collect();
        let output = match rule {
            0 => rows.iter().rev().cloned().collect(),
            1 => (0..rows[0].len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect(),
            2 => {
                let swap = |c: &u8| if *c == from { to } else { *c };
                rows.iter().map(|row| row.iter().map(swap).collect()).collect()
            }
            _ => grid(rng).rows().map(<[u8]>::to_vec).collect::<Vec<Vec<u8>>>(),
        };
        let output = Grid::from_rows(&output);
        Example { input, output }
    };
    let demos = vec![example(), example()];
    let tests = vec![example()];
    let mut task = Task { id: "random".to_string(), demos, tests };
    let extra: Vec<Example> = (0..3).map(|_| example()).collect();
    let demos = rng.below(4);
    task.demos.extend(extra.into_iter().take(demos));
    task
}
