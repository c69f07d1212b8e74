//! One task out of a JSON tree, every cell checked.

use super::json::Node;
use crate::tasks::error::{Part, Place, Problem, Side};
use crate::tasks::{Example, Grid, Task};

/// A problem and its place in the task.
pub(super) type Bad = (Place, Problem);

/// The task that a JSON object of `train` and `test` describes.
pub(super) fn task(id: &str, node: &Node) -> Result<Task, Bad> {
    let top = Place::default();
    if id.is_empty() || id.chars().count() > 100 || id.chars().any(char::is_control) {
        return Err((top, Problem::BadId));
    }
    keys(node, top)?;
    for key in ["train", "test"] {
        node.key(key).ok_or((top, Problem::MissingKey(key)))?;
    }
    let demos = examples(node, Part::Train)?;
    if demos.is_empty() {
        return Err((Place { part: Some(Part::Train), ..top }, Problem::NoDemos));
    }
    let tests = examples(node, Part::Test)?;
    Ok(Task { id: id.to_owned(), demos, tests })
}

fn examples(node: &Node, part: Part) -> Result<Vec<Example>, Bad> {
    let name = if part == Part::Train { "train" } else { "test" };
    let list = node.key(name).ok_or((Place::default(), Problem::MissingKey(name)))?;
    let place = Place { part: Some(part), ..Place::default() };
    let example = |(n, item)| example(item, part, Place { example: Some(n), ..place });
    items(list, place, "a list of examples")?.iter().enumerate().map(example).collect()
}

fn example(node: &Node, part: Part, place: Place) -> Result<Example, Bad> {
    keys(node, place)?;
    let input = node.key("input").ok_or((place, Problem::MissingKey("input")))?;
    let input = grid(input, Place { side: Some(Side::Input), ..place })?;
    let output = match (node.key("output"), part) {
        (None | Some(Node::Null), Part::Test) => None,
        (None, Part::Train) => return Err((place, Problem::MissingKey("output"))),
        (Some(node), _) => Some(grid(node, Place { side: Some(Side::Output), ..place })?),
    };
    Ok(Example { input, output })
}

/// A grid out of its rows.
pub(super) fn grid(node: &Node, place: Place) -> Result<Grid, Bad> {
    let list = items(node, place, "a grid (a list of rows)")?;
    match list.len() {
        0 => return Err((place, Problem::Empty("the grid"))),
        1..=30 => {}
        n => return Err((place, Problem::TooTall(n))),
    }
    let mut rows: Vec<Vec<u8>> = Vec::with_capacity(list.len());
    for (n, node) in list.iter().enumerate() {
        let place = Place { row: Some(n), ..place };
        let row = row(node, place)?;
        let expected = rows.first().map_or(row.len(), Vec::len);
        if row.len() != expected {
            return Err((place, Problem::Ragged { expected, found: row.len() }));
        }
        rows.push(row);
    }
    Grid::from_rows(&rows).ok_or((place, Problem::Empty("the grid")))
}

fn row(node: &Node, place: Place) -> Result<Vec<u8>, Bad> {
    let list = items(node, place, "a row (a list of colours)")?;
    match list.len() {
        0 => return Err((place, Problem::Empty("the row"))),
        1..=30 => {}
        n => return Err((place, Problem::TooWide(n))),
    }
    let cell = |(n, node): (usize, &Node)| {
        let place = Place { column: Some(n), ..place };
        match node {
            Node::Int(n @ 0..=9) => Ok(*n as u8),
            Node::Int(n) => Err((place, Problem::Colour(*n))),
            other => Err((place, expected("a colour (an int from 0 to 9)", other))),
        }
    };
    list.iter().enumerate().map(cell).collect()
}

/// The items of what must be a list.
pub(super) fn items<'a>(
    node: &'a Node,
    place: Place,
    what: &'static str,
) -> Result<&'a [Node], Bad> {
    match node {
        Node::List(items) => Ok(items),
        other => Err((place, expected(what, other))),
    }
}

/// Checks that a node is an object without repeated keys.
fn keys(node: &Node, place: Place) -> Result<(), Bad> {
    let Node::Map(pairs) = node else { return Err((place, expected("an object", node))) };
    // Only the keys with a meaning are compared, so that an object of a million keys costs nothing.
    for key in ["train", "test", "input", "output"] {
        if pairs.iter().filter(|(k, _)| k == key).nth(1).is_some() {
            return Err((place, Problem::RepeatedKey(key.to_owned())));
        }
    }
    Ok(())
}

fn expected(expected: &'static str, found: &Node) -> Problem {
    Problem::Expected { expected, found: found.describe() }
}
