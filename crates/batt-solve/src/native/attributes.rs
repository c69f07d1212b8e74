//! Attributes of items: objects, rows, columns and what else a container holds.

use super::{Item, Picture, STEPS, commonest, rarest};

/// What an attribute of an item may depend on.
#[derive(Debug)]
pub struct Context<'a> {
    /// The grid.
    pub picture: &'a Picture,
    /// All items of the container.
    pub items: &'a [Item],
}

/// An attribute of items that is computed here: the number of every item, or none where one is an error.
pub type ItemAttribute = fn(&Context) -> Option<Vec<i32>>;

/// An attribute that looks at one item alone.
macro_rules! each {
    ($of:expr) => {
        |context| {
            let of: fn(&Item, &Picture) -> i32 = $of;
            Some(context.items.iter().map(|item| of(item, context.picture)).collect())
        }
    };
}

/// The twin of an attribute of the library, by its name.
pub fn named(name: &str) -> Option<ItemAttribute> {
    let attribute: ItemAttribute = match name {
        "size" => each!(|item, _| item.cells.len() as i32),
        "height" => each!(|item, _| item.height()),
        "width" => each!(|item, _| item.width()),
        "longer side" => each!(|item, _| item.height().max(item.width())),
        "shorter side" => each!(|item, _| item.height().min(item.width())),
        "free cells" => each!(|item, _| item.height() * item.width() - item.cells.len() as i32),
        "holes" => each!(|item, _| item.enclosed().0),
        "colours" | "colours of line" => {
            each!(|item, _| item.counts().iter().filter(|n| **n > 0).count() as i32)
        }
        "top" | "at top" => each!(|item, _| item.top),
        "bottom" => each!(|item, _| item.bottom),
        "leftmost" | "at left" => each!(|item, _| item.left),
        "rightmost" => each!(|item, _| item.right),
        "square" => each!(|item, _| {
            let (h, w) = (item.height(), item.width());
            i32::from(h == w && h * w == item.cells.len() as i32)
        }),
        "upright" => each!(|item, _| i32::from(item.height() > item.width())),
        "horizontal line" => each!(|item, _| {
            i32::from(item.height() == 1 && item.width() == item.cells.len() as i32)
        }),
        "vertical line" => each!(|item, _| {
            i32::from(item.width() == 1 && item.height() == item.cells.len() as i32)
        }),
        "at the edge" => each!(|item, picture| {
            let first = item.top == 0 || item.left == 0;
            let last = item.bottom == picture.height - 1 || item.right == picture.width - 1;
            i32::from(first || last)
        }),
        "mirrored left to right" => each!(|item, _| i32::from(mirrors(item, false, true, false))),
        "mirrored upside down" => each!(|item, _| i32::from(mirrors(item, true, false, false))),
        "mirrored in colour" => each!(|item, _| i32::from(mirrors(item, false, true, true))),
        "mirrored in colour upside down" => {
            each!(|item, _| i32::from(mirrors(item, true, false, true)))
        }
        "filled cells" | "filled" => {
            each!(|item, _| item.cells.iter().filter(|cell| cell.0 != 0).count() as i32)
        }
        "rarest cells" => each!(|item, _| {
            let counts = item.counts();
            rarest(&counts).map_or(0, |color| counts[usize::from(color)] as i32)
        }),
        "alike" => |context| Some(alike(context)),
        "larger ones" => |context| Some(ahead(context, |item| item.cells.len() as i32)),
        "smaller ones" => |context| Some(ahead(context, |item| -(item.cells.len() as i32))),
        "taller ones" => |context| Some(ahead(context, Item::height)),
        "wider ones" => |context| Some(ahead(context, Item::width)),
        "ones above" => |context| Some(ahead(context, |item| -item.top)),
        "ones to the left" => |context| Some(ahead(context, |item| -item.left)),
        "of one colour" => |context| {
            let first = |item: &Item| item.cells[0].0;
            let count = |item: &Item| {
                context.items.iter().filter(|other| first(other) == first(item)).count() as i32
            };
            Some(context.items.iter().map(count).collect())
        },
        "colour" | "first" => each!(|item, _| i32::from(item.cells[0].0)),
        "adjacent" => adjacent,
        "least alike" => |context| Some(alike_color(context, i32::min)),
        "most alike" => |context| Some(alike_color(context, i32::max)),
        "nearest" => nearest,
        "rarest colour" | "rarest of line" => {
            each!(|item, _| rarest(&item.counts()).map_or(0, i32::from))
        }
        "commonest colour" | "commonest of line" => {
            each!(|item, _| commonest(&item.counts()).map_or(0, i32::from))
        }
        _ => return None,
    };
    Some(attribute)
}

/// Whether an item is the same mirrored in its box, in its colours too or not.
fn mirrors(item: &Item, rows: bool, columns: bool, in_color: bool) -> bool {
    let (h, w) = (item.height(), item.width());
    let mut cells = vec![u8::MAX; (h * w) as usize];
    for (color, i, j) in &item.cells {
        cells[((i - item.top) * w + j - item.left) as usize] = if in_color { *color } else { 0 };
    }
    (0..h).all(|i| {
        (0..w).all(|j| {
            let (a, b) = (if rows { h - 1 - i } else { i }, if columns { w - 1 - j } else { j });
            cells[(i * w + j) as usize] == cells[(a * w + b) as usize]
        })
    })
}

/// How many items have more of something.
fn ahead(context: &Context, of: fn(&Item) -> i32) -> Vec<i32> {
    let numbers: Vec<i32> = context.items.iter().map(of).collect();
    numbers.iter().map(|n| numbers.iter().filter(|other| *other > n).count() as i32).collect()
}

/// How many items cover the same locations from their upper left corner on.
fn alike(context: &Context) -> Vec<i32> {
    let outlines: Vec<Vec<(i32, i32)>> = context.items.iter().map(Item::outline).collect();
    let count =
        |own: &Vec<(i32, i32)>| outlines.iter().filter(|other| *other == own).count() as i32;
    outlines.iter().map(count).collect()
}

/// The least or the largest colour of the items that cover the same locations.
fn alike_color(context: &Context, better: fn(i32, i32) -> i32) -> Vec<i32> {
    let outlines: Vec<Vec<(i32, i32)>> = context.items.iter().map(Item::outline).collect();
    let color = |item: &Item| i32::from(item.cells[0].0);
    let of_item = |(item, own): (&Item, &Vec<(i32, i32)>)| {
        let others = outlines.iter().zip(context.items).filter(|(outline, _)| *outline == own);
        others.map(|(_, other)| color(other)).fold(color(item), better)
    };
    context.items.iter().zip(&outlines).map(of_item).collect()
}

/// The colour of the nearest item of another colour; an error where there is none.
fn nearest(context: &Context) -> Option<Vec<i32>> {
    let color = |item: &Item| item.cells[0].0;
    let distance = |a: &Item, b: &Item| {
        let steps = a.cells.iter().flat_map(|(_, i, j)| {
            b.cells.iter().map(move |(_, k, l)| (i - k).abs() + (j - l).abs())
        });
        steps.min().unwrap_or(i32::MAX)
    };
    let of_item = |item: &Item| {
        let others = context.items.iter().filter(|other| color(other) != color(item));
        others.min_by_key(|other| distance(item, other)).map(|other| i32::from(color(other)))
    };
    // Of many items it would take long, and says little.
    let few = context.items.len() <= MAX_ITEMS;
    few.then(|| context.items.iter().map(of_item).collect()).flatten()
}

/// Among more items the nearest is not looked for.
const MAX_ITEMS: usize = 40;

/// The rarest colour of the cells around an item; an error where there is none.
fn adjacent(context: &Context) -> Option<Vec<i32>> {
    let picture = context.picture;
    let mut mark = vec![usize::MAX; picture.cells.len()];
    let of_item = |(at, item): (usize, &Item)| {
        item.cells.iter().for_each(|cell| mark[picture.place(cell.1, cell.2)] = at);
        let mut counts = [0; 10];
        for (_, i, j) in &item.cells {
            for (i, j) in STEPS.iter().map(|(a, b)| (i + a, j + b)) {
                let Some(color) = picture.at(i, j) else { continue };
                let place = picture.place(i, j);
                if mark[place] != at {
                    mark[place] = at;
                    counts[usize::from(color)] += 1;
                }
            }
        }
        rarest(&counts).map(i32::from)
    };
    context.items.iter().enumerate().map(of_item).collect()
}
