//! Lists told by the inputs: colours and counts that rules about something else can use.

use batt_lang::program::NodeId;
use batt_lang::{Op, Value};
use batt_run::tasks::Grid;

use super::Solver;
use super::cells::Spot;
use crate::columns::Columns;
use crate::library::{GroupId, Root};
use crate::store::{Given, Store};

/// What the inputs tell rules that look at something else.
#[derive(Default)]
pub(super) struct Told {
    pub(super) colors: Vec<(NodeId, Vec<Value>)>,
    counts: Vec<(NodeId, Vec<Value>)>,
    lists: Vec<(NodeId, Vec<Vec<u8>>)>,
}

/// The group of counts.
const COUNTS: &str = "counts";

/// The group of lists.
const LISTS: &str = "lists";

/// The place in a list of a cell of a grid, by the grid, the row and the column.
type Place<'a> = dyn Fn(usize, usize, usize) -> usize + 'a;

/// As many lists are looked at.
const MAX_LISTS: usize = 22;

impl Solver<'_> {
    /// All that the inputs tell.
    pub(super) fn told(&self, inputs: &[Grid], store: &mut Store) -> Told {
        let mut told = self.told_colors(inputs, store);
        if let Some(group) = self.prepared.library.group_named(COUNTS) {
            told.counts = self.constants(group, inputs, store);
        }
        let sizes = &self.prepared.sizes;
        let values = self.sized.values(inputs).split_off(sizes.numbers.len());
        for (node, values) in sizes.lists.iter().zip(values) {
            let colors = |value: &Option<Value>| {
                let items = value.as_ref()?.elements_of()?;
                let color = |item: &Value| u8::try_from(item.as_int()?).ok().filter(|c| *c <= 9);
                items.iter().map(color).collect::<Option<Vec<u8>>>()
            };
            if let Some(lists) = values.iter().map(colors).collect::<Option<Vec<_>>>() {
                let known = told.lists.iter().any(|(_, known)| *known == lists);
                if !known && told.lists.len() < MAX_LISTS {
                    let given = Given::grid(Store::INPUT);
                    told.lists.push((store.graft(sizes.store.body(), *node, given), lists));
                }
            }
        }
        told
    }

    /// The colours that the inputs tell.
    pub(super) fn told_colors(&self, inputs: &[Grid], store: &mut Store) -> Told {
        let own = self.prepared.library.planes[0].group;
        Told { colors: self.constants(own, inputs, store), ..Told::default() }
    }

    /// The ints that a group tells of the inputs, for rules that look at something else.
    fn constants(
        &self,
        group: GroupId,
        inputs: &[Grid],
        store: &mut Store,
    ) -> Vec<(NodeId, Vec<Value>)> {
        let library = &self.prepared.library;
        let evaluated = self.evaluate(group, inputs);
        let constant = |(root, values): (Root, Vec<Option<Value>>)| {
            let Root::Plane(at) = root else { return None };
            let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
            let all = values.iter().all(|value| matches!(value, Value::Int(_)));
            let given = Given::grid(Store::INPUT);
            let node = library.planes[at].node;
            all.then(|| (store.graft(library.store.body(), node, given), values))
        };
        evaluated.into_iter().filter_map(constant).collect()
    }

    /// Adds what counts of the input tell: themselves as colours, and as many cells, rows and columns.
    pub(super) fn add_counts(
        &self,
        spot: &Spot,
        told: &Told,
        store: &mut Store,
        columns: &mut Columns,
    ) {
        let Some(group) = self.prepared.library.group_named(COUNTS) else { return };
        for (node, values) in &told.counts {
            columns.add_own(*node, &values.iter().collect::<Vec<_>>(), group);
            let counts: Option<Vec<usize>> =
                values.iter().map(|n| usize::try_from(n.as_int()?).ok()).collect();
            let Some(counts) = counts else { continue };
            let greater = store.prim(Op::Greater);
            let more = store.call(Op::Lbind, &[greater, *node]);
            let [add, multiply, first, last] =
                [Op::Add, Op::Multiply, Op::First, Op::Last].map(|op| store.prim(op));
            let width = store.call(Op::Width, &[spot.node]);
            let rows = store.call(Op::Lbind, &[multiply, width]);
            let rows = store.call(Op::Compose, &[rows, first]);
            let place = store.call(Op::Fork, &[add, rows, last]);
            let all = store.call(Op::Asindices, &[spot.node]);
            let one = store.int(1);
            let mut marks = |of: NodeId| {
                let is = store.call(Op::Compose, &[more, of]);
                let cells = store.call(Op::Sfilter, &[all, is]);
                store.call(Op::Recolor, &[one, cells])
            };
            let widths: Vec<usize> = spot.grids.iter().map(Grid::width).collect();
            let by_place = marks(place);
            columns.add_marks(by_place, group, |grid, i, j| i * widths[grid] + j < counts[grid]);
            let by_row = marks(first);
            columns.add_marks(by_row, group, |grid, i, _| i < counts[grid]);
            let by_column = marks(last);
            columns.add_marks(by_column, group, |grid, _, j| j < counts[grid]);
        }
    }

    /// Adds the colours of lists: in each row one, in each column, in each cell in the order of
    /// reading, column by column, or to and fro.
    pub(super) fn add_lists(
        &self,
        spot: &Spot,
        told: &Told,
        store: &mut Store,
        columns: &mut Columns,
    ) {
        let Some(group) = self.prepared.library.group_named(LISTS) else { return };
        let width = |grid: usize| spot.grids[grid].width();
        let height = |grid: usize| spot.grids[grid].height();
        let places: [(&str, &Place); 5] = [
            ("apply(compose(hfrontier, toivec), interval(ZERO, 30, ONE))", &|_, i, _| i),
            ("apply(compose(vfrontier, tojvec), interval(ZERO, 30, ONE))", &|_, _, j| j),
            ("apply(initset, totuple(asindices(I)))", &|grid, i, j| i * width(grid) + j),
            ("apply(initset, order(asindices(I), fork(astuple, last, first)))", &|grid, i, j| {
                j * height(grid) + i
            }),
            // To and fro.
            (
                "apply(initset, order(asindices(I), fork(astuple, first, fork(multiply, last, chain(decrement, double, compose(even, first))))))",
                &|grid, i, j| i * width(grid) + if i % 2 == 0 { j } else { width(grid) - 1 - j },
            ),
        ];
        for (node, lists) in &told.lists {
            for (text, place) in places {
                // The texts are fixed and are read by the tests.
                let Ok(cells) = store.read(text, Given::grid(spot.node)) else { continue };
                let recolor = store.prim(Op::Recolor);
                let painted = store.call(Op::Mpapply, &[recolor, *node, cells]);
                let zero = store.int(0);
                let size = store.call(Op::Shape, &[spot.node]);
                let canvas = store.call(Op::Canvas, &[zero, size]);
                let plane = store.call(Op::Paint, &[canvas, painted]);
                columns.add_colors_by(plane, group, |grid, i, j| {
                    lists[grid].get(place(grid, i, j)).copied().unwrap_or(0)
                });
            }
        }
    }
}
