//! Rules written down: a tree becomes an expression of masks and fills.

use batt_lang::program::{Expr, Input, NodeId};
use batt_lang::{Op, Value};

use crate::cells::scan::Times;
use crate::columns::{Ask, Columns, Shape, Source};
use crate::function::{function_of, repeated};
use crate::library::{ItemKind, Library};
use crate::numbers::{PlaceIn, When};
use crate::reach::Reach;
use crate::store::{Given, Store};
use crate::tree::Tree;

/// No side of a grid is longer.
const SIDE: i32 = 30;

/// What a leaf paints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// One colour.
    Color(u8),
    /// What a plane says, by its place among the columns.
    Plane(usize),
}

/// A rule: where a tree paints what, and the colours that stay as they are.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The tree; its tests and paints are places in the next two.
    pub tree: Tree,
    /// The questions.
    pub asks: Vec<Ask>,
    /// What is painted.
    pub paints: Vec<Paint>,
    /// Colours that no cell loses.
    pub kept: Vec<u8>,
}

/// Writes rules on the grid that an expression gives.
pub struct Writer<'a> {
    /// Where expressions go.
    pub store: &'a mut Store,
    /// The features.
    pub library: &'a Library,
    /// What they said.
    pub columns: &'a Columns<'a>,
    /// The grid that the rule looks at.
    pub grid: NodeId,
}

impl Writer<'_> {
    /// The grid that a rule makes.
    pub fn rule(&mut self, rule: &Rule) -> NodeId {
        let made = self.tree(&rule.tree, rule, None, self.grid);
        if rule.kept.is_empty() || made == self.grid {
            return made;
        }
        let colors = rule.kept.iter().map(|color| Value::Int(i32::from(*color))).collect();
        let colors = self.store.value(Value::tuple(colors));
        let contained = self.store.prim(Op::Contained);
        let is_kept = self.store.call(Op::Rbind, &[contained, colors]);
        let color = self.store.prim(Op::Color);
        let is_kept = self.store.call(Op::Compose, &[is_kept, color]);
        let parts = self.store.call(Op::Partition, &[self.grid]);
        let kept = self.store.call(Op::Mfilter, &[parts, is_kept]);
        self.store.call(Op::Paint, &[made, kept])
    }

    /// The grid that a rule makes when it is repeated, looking at what it has written; `None` where that cannot
    /// be written down.
    pub fn repeated(&mut self, rule: &Rule, times: Times) -> Option<NodeId> {
        let made = self.rule(rule);
        let so_far = self.so_far();
        let step = function_of(self.store, made, so_far)?;
        let [height, width] = [Op::Height, Op::Width].map(|op| self.store.call(op, &[self.grid]));
        let times = match times {
            Times::Height => height,
            Times::Width => width,
            Times::Both => self.store.call(Op::Add, &[height, width]),
        };
        Some(repeated(self.store, step, times, self.grid))
    }

    /// What stands for the grid that was written so far.
    fn so_far(&mut self) -> NodeId {
        self.store.add(Expr::Input(Input::C))
    }

    fn tree(&mut self, tree: &Tree, rule: &Rule, region: Option<NodeId>, onto: NodeId) -> NodeId {
        match tree {
            Tree::Leaf(paint) => self.paint(rule.paints[*paint], region, onto),
            Tree::Split(test, arms) => {
                let asked = self.ask(rule.asks[*test]);
                let all = self.all();
                let yes = match region {
                    None => asked,
                    Some(region) => self.store.call(Op::Intersection, &[region, asked]),
                };
                let no = self.store.call(Op::Difference, &[region.unwrap_or(all), asked]);
                let onto = self.tree(&arms[0], rule, Some(yes), onto);
                self.tree(&arms[1], rule, Some(no), onto)
            }
        }
    }

    /// All locations.
    fn all(&mut self) -> NodeId {
        self.store.call(Op::Asindices, &[self.grid])
    }

    /// The grid with a region painted.
    pub fn paint(&mut self, paint: Paint, region: Option<NodeId>, onto: NodeId) -> NodeId {
        let region = match region {
            Some(region) => region,
            None => self.all(),
        };
        match paint {
            Paint::Color(color) => {
                let color = self.store.int(i32::from(color));
                self.store.call(Op::Fill, &[onto, color, region])
            }
            Paint::Plane(plane) => {
                let (node, shape) = self.plane(plane);
                match shape {
                    // A cell's own colour is there already.
                    _ if node == self.grid => onto,
                    Shape::Color => self.store.call(Op::Fill, &[onto, node, region]),
                    Shape::Grid | Shape::Object => {
                        let grid = match shape {
                            Shape::Object => self.store.call(Op::Paint, &[self.grid, node]),
                            _ => node,
                        };
                        let part = self.store.call(Op::Toobject, &[region, grid]);
                        self.store.call(Op::Paint, &[onto, part])
                    }
                }
            }
        }
    }

    /// A plane, and what kind of value it is.
    fn plane(&mut self, plane: usize) -> (NodeId, Shape) {
        let plane = &self.columns.planes[plane];
        match plane.source {
            Source::Plane(at) => (self.here(self.library.planes[at].node), plane.shape),
            Source::Own(node) => (node, plane.shape),
            Source::Written(di, dj) => {
                let so_far = self.so_far();
                let (cells, back) = (
                    self.store.call(Op::Asobject, &[so_far]),
                    self.store.value(Value::Pair(-di, -dj)),
                );
                (self.store.call(Op::Shift, &[cells, back]), plane.shape)
            }
            Source::Attribute(at) => {
                let attribute = &self.library.attributes[at];
                let function = self.here(attribute.function);
                let items = self.container(at);
                let (recolor, identity) =
                    (self.store.prim(Op::Recolor), self.store.prim(Op::Identity));
                let painted = self.store.call(Op::Fork, &[recolor, function, identity]);
                (self.store.call(Op::Mapply, &[painted, items]), Shape::Object)
            }
        }
    }

    /// A plane as an object.
    fn object(&mut self, plane: usize) -> NodeId {
        match self.plane(plane) {
            (node, Shape::Object) => node,
            (node, Shape::Grid) => self.store.call(Op::Asobject, &[node]),
            (node, Shape::Color) => {
                let all = self.all();
                self.store.call(Op::Recolor, &[node, all])
            }
        }
    }

    /// An expression of the library on the grid that the rule looks at.
    fn here(&mut self, node: NodeId) -> NodeId {
        self.store.graft(self.library.store.body(), node, Given::grid(self.grid))
    }

    /// The container of an attribute.
    fn container(&mut self, attribute: usize) -> NodeId {
        let container = usize::from(self.library.attributes[attribute].container.0);
        self.here(self.library.containers[container].feature.node)
    }

    /// The locations for which the answer is yes.
    pub fn ask(&mut self, ask: Ask) -> NodeId {
        match ask {
            Ask::Is(plane, color) => {
                let color = self.store.int(i32::from(color));
                match self.plane(plane) {
                    (node, Shape::Grid) => self.store.call(Op::Ofcolor, &[node, color]),
                    (node, Shape::Object) => {
                        let first = self.store.prim(Op::First);
                        let is = self.store.call(Op::Matcher, &[first, color]);
                        let cells = self.store.call(Op::Sfilter, &[node, is]);
                        self.store.call(Op::Toindices, &[cells])
                    }
                    (node, Shape::Color) => {
                        let size = self.store.call(Op::Shape, &[self.grid]);
                        let canvas = self.store.call(Op::Canvas, &[node, size]);
                        self.store.call(Op::Ofcolor, &[canvas, color])
                    }
                }
            }
            Ask::Nothing(plane) => {
                let (object, all) = (self.object(plane), self.all());
                let said = self.store.call(Op::Toindices, &[object]);
                self.store.call(Op::Difference, &[all, said])
            }
            Ask::Agree(a, b) => {
                let (a, b) = (self.object(a), self.object(b));
                let alike = self.store.call(Op::Intersection, &[a, b]);
                self.store.call(Op::Toindices, &[alike])
            }
            Ask::Chosen(at) => {
                let node = self.here(self.library.planes[at].node);
                self.store.call(Op::Toindices, &[node])
            }
            Ask::Item(attribute, when) => {
                let items = self.container(attribute);
                let is = self.condition(attribute, when);
                let container = usize::from(self.library.attributes[attribute].container.0);
                if self.library.containers[container].items == ItemKind::Cell {
                    return self.store.call(Op::Sfilter, &[items, is]);
                }
                let cells = self.store.call(Op::Mfilter, &[items, is]);
                self.store.call(Op::Toindices, &[cells])
            }
            Ask::Reached(attribute, when, reach) => self.reached(attribute, when, reach),
            Ask::Within(container, place, when) => self.within(container, place, when),
        }
    }

    /// The cells that the items reach whose attribute is so.
    fn reached(&mut self, attribute: usize, when: When, reach: Reach) -> NodeId {
        let items = self.container(attribute);
        let is = self.condition(attribute, when);
        if reach == Reach::Box {
            let items = self.store.call(Op::Sfilter, &[items, is]);
            let backdrop = self.store.prim(Op::Backdrop);
            return self.store.call(Op::Mapply, &[backdrop, items]);
        }
        let cells = self.store.call(Op::Mfilter, &[items, is]);
        let cells = self.store.call(Op::Toindices, &[cells]);
        let function = match reach {
            Reach::Around => self.store.prim(Op::Neighbors),
            Reach::Straight => self.store.prim(Op::Dneighbors),
            Reach::Rows => self.store.prim(Op::Hfrontier),
            Reach::Columns => self.store.prim(Op::Vfrontier),
            Reach::Right => self.shoot(0, 1),
            Reach::Left => self.shoot(0, -1),
            Reach::Up => self.shoot(-1, 0),
            Reach::Down | Reach::Box => self.shoot(1, 0),
        };
        self.store.call(Op::Mapply, &[function, cells])
    }

    fn shoot(&mut self, di: i32, dj: i32) -> NodeId {
        let direction = self.store.value(Value::Pair(di, dj));
        let shoot = self.store.prim(Op::Shoot);
        self.store.call(Op::Rbind, &[shoot, direction])
    }

    /// The cells of items that lie so in theirs: what an item shares with a pattern put at its corner.
    fn within(&mut self, container: usize, place: PlaceIn, when: When) -> NodeId {
        let items = self.here(self.library.containers[container].feature.node);
        if let Some(text) = place.of_one_item() {
            // The text is fixed and is read by the tests.
            let function = self.store.read(text, Given::grid(self.grid)).unwrap_or(Store::INPUT);
            return self.store.call(Op::Mapply, &[function, items]);
        }
        let (from, to) = match when {
            When::AtMost(n) => (0, n + 1),
            When::Is(n) => (n, n + 1),
            // Of places, only these two are asked for.
            _ => (0, 0),
        };
        let (all, parity) = ((0, SIDE, 1), (i32::from(when == When::Is(0)), SIDE, 2));
        let pattern = match place {
            PlaceIn::Row => self.product((from, to, 1), all),
            PlaceIn::Column => self.product(all, (from, to, 1)),
            PlaceIn::RowBelow => self.product((1 - to, 1 - from, 1), (1 - SIDE, 1, 1)),
            PlaceIn::ColumnRight => self.product((1 - SIDE, 1, 1), (1 - to, 1 - from, 1)),
            PlaceIn::EvenRow => self.product(parity, all),
            PlaceIn::EvenColumn => self.product(all, parity),
            _ => {
                let even = if when == When::Is(0) {
                    "sfilter(asindices(canvas(ZERO, (30, 30))), chain(flip, even, fork(add, first, last)))"
                } else {
                    "sfilter(asindices(canvas(ZERO, (30, 30))), compose(even, fork(add, first, last)))"
                };
                // The text is fixed and is read by the tests.
                self.store.read(even, Given::grid(self.grid)).unwrap_or(Store::INPUT)
            }
        };
        let corner = match place {
            PlaceIn::RowBelow | PlaceIn::ColumnRight => Op::Lrcorner,
            _ => Op::Ulcorner,
        };
        let [shift, corner, indices, both] =
            [Op::Shift, corner, Op::Toindices, Op::Intersection].map(|op| self.store.prim(op));
        let shifted = self.store.call(Op::Lbind, &[shift, pattern]);
        let put = self.store.call(Op::Compose, &[shifted, corner]);
        let shared = self.store.call(Op::Fork, &[both, indices, put]);
        self.store.call(Op::Mapply, &[shared, items])
    }

    /// The locations of some rows and columns.
    fn product(&mut self, rows: (i32, i32, i32), columns: (i32, i32, i32)) -> NodeId {
        let [rows, columns] = [rows, columns].map(|(from, to, step)| {
            let ends = [from, to, step].map(|n| self.store.int(n));
            self.store.call(Op::Interval, &ends)
        });
        self.store.call(Op::Product, &[rows, columns])
    }

    fn condition(&mut self, at: usize, when: When) -> NodeId {
        let attribute = &self.library.attributes[at];
        let (function, values) = (self.here(attribute.function), self.here(attribute.values));
        let wanted = match when {
            When::Is(n) => self.store.int(n),
            When::AtMost(n) => {
                let above = self.store.int(n.saturating_add(1));
                let greater = self.store.prim(Op::Greater);
                let less = self.store.call(Op::Lbind, &[greater, above]);
                return self.store.call(Op::Compose, &[less, function]);
            }
            When::Largest => self.store.call(Op::Maximum, &[values]),
            When::Smallest => self.store.call(Op::Minimum, &[values]),
            When::Commonest => self.store.call(Op::Mostcommon, &[values]),
            When::Rarest => self.store.call(Op::Leastcommon, &[values]),
        };
        self.store.call(Op::Matcher, &[function, wanted])
    }
}
