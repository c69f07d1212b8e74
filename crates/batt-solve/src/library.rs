//! The library of features: expressions over a grid that rules are made of, read from text.
//!
//! `library/planes.txt` says what may be asked of every cell, `containers.txt` what a grid is made of,
//! `attributes.txt` what may be asked of the parts, `families.txt` which of these a rule may use together.
//! A feature is an ordinary expression, so a rule that uses it can be written down as a program.

use batt_lang::Op;
use batt_lang::program::{Expr, Input, NodeId};
use thiserror::Error;

use crate::native::{self, ItemAttribute, ItemsOf, LocationAttribute, PlaneOf};
use crate::store::{Given, Store};

mod lines;

/// A group of features, by its place in [`Library::groups`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(pub u8);

/// Several groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Groups(u64);

impl Groups {
    /// These and one more.
    #[must_use]
    pub fn with(self, group: GroupId) -> Groups {
        Groups(self.0 | 1 << group.0)
    }

    /// Whether a group is among them.
    pub fn has(self, group: GroupId) -> bool {
        self.0 >> group.0 & 1 == 1
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Those that the others lack.
    #[must_use]
    pub fn without(self, other: Groups) -> Groups {
        Groups(self.0 & !other.0)
    }
}

/// An expression with a name.
#[derive(Clone, Debug)]
pub struct Feature {
    /// What explanations call it.
    pub name: String,
    /// Its group.
    pub group: GroupId,
    /// Its value, over the grid I.
    pub node: NodeId,
    /// What computes the same, if it is a plane and there is such a thing.
    pub twin: Option<PlaneOf>,
}

/// What an item of a container is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// An object.
    Shape,
    /// A row or a column, as an object.
    Line,
    /// A location.
    Cell,
}

/// A container, by its place in [`Library::containers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContainerId(pub u16);

/// A container of items.
#[derive(Clone, Debug)]
pub struct Container {
    /// The container.
    pub feature: Feature,
    /// What it holds.
    pub items: ItemKind,
    /// What computes the same, if there is such a thing.
    pub twin: Option<ItemsOf>,
}

/// What computes the same as an attribute.
#[derive(Clone, Copy, Debug)]
pub enum AttributeTwin {
    /// From the items of a container.
    Item(ItemAttribute),
    /// From the locations of a grid.
    Location(LocationAttribute),
}

/// An expression of the library that has no twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A plane, by its place.
    Plane(usize),
    /// A container, by its place.
    Container(usize),
    /// The values of an attribute, by its place.
    Attribute(usize),
    /// A plane that depends on a hidden colour, in the store of the task.
    Own(NodeId),
}

/// An attribute of the items of one container.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// What explanations call it.
    pub name: String,
    /// Its group.
    pub group: GroupId,
    /// Whose items have it.
    pub container: ContainerId,
    /// The function of an item.
    pub function: NodeId,
    /// Its values, as a tuple in the order of the container.
    pub values: NodeId,
    /// Whether it is a colour that can be painted.
    pub is_color: bool,
    /// What computes the same, if there is such a thing.
    pub twin: Option<AttributeTwin>,
}

/// Features, ready to be evaluated on any grid.
#[derive(Clone, Debug)]
pub struct Library {
    /// The expressions.
    pub store: Store,
    /// What may be asked of every cell.
    pub planes: Vec<Feature>,
    /// What a grid is made of.
    pub containers: Vec<Container>,
    /// What may be asked of the parts.
    pub attributes: Vec<Attribute>,
    /// What a rule may use together, the smallest first, in tiers: the next is tried where no rule of those
    /// before is sure.
    pub tiers: Vec<Vec<Groups>>,
    /// What a rule may use besides what it has written already.
    pub scans: Vec<Groups>,
    /// Planes that depend on a colour that is hidden, which C stands for.
    pub hidden: Vec<Feature>,
    /// Containers in whose items the place of a cell may be asked for, and the groups that this makes.
    pub within: Vec<(GroupId, ContainerId)>,
    /// Containers of which it may be asked what chosen items reach, and the groups that this makes.
    pub reach: Vec<(GroupId, ContainerId)>,
    /// Groups whose planes are so many that an enumeration does not begin with them.
    unseeded: Groups,
    groups: Vec<String>,
}

/// What is wrong with a library's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}, line {line}: {what}")]
pub struct LibraryError {
    file: &'static str,
    line: usize,
    what: String,
}

const PLANES: &str = include_str!("../library/planes.txt");
const HIDDEN: &str = include_str!("../library/hidden.txt");
const CONTAINERS: &str = include_str!("../library/containers.txt");
const ATTRIBUTES: &str = include_str!("../library/attributes.txt");
const FAMILIES: &str = include_str!("../library/families.txt");

/// The group of views as planes.
const VIEWS: &str = "views";

/// The group of what is hit, one plane for each colour.
const HITS: &str = "hits";

/// The group of lists of colours.
const LISTS: &str = "lists";

/// The group of what is written already.
const WRITTEN: &str = "written";

/// The groups of what is asked of places within items, and the containers of those.
const WITHIN: [(&str, &str); 3] =
    [("within4", "shapes4"), ("within8", "shapes8"), ("withinm", "mixed8")];

/// The groups of what items reach, and the containers of those.
const REACH: [(&str, &str); 4] =
    [("reach4", "shapes4"), ("reach8", "shapes8"), ("reachm", "mixed8"), ("reachg", "gaps4")];

/// The kind of items that a word names.
fn item_kind(name: &str) -> Option<ItemKind> {
    match name {
        "cells" => Some(ItemKind::Cell),
        "lines" => Some(ItemKind::Line),
        "shapes" => Some(ItemKind::Shape),
        _ => None,
    }
}

impl Library {
    /// The library that is part of the binary.
    pub fn embedded() -> Result<Library, LibraryError> {
        let mut library = Library {
            store: Store::default(),
            planes: Vec::new(),
            containers: Vec::new(),
            attributes: Vec::new(),
            tiers: vec![Vec::new()],
            scans: Vec::new(),
            hidden: Vec::new(),
            within: Vec::new(),
            reach: Vec::new(),
            unseeded: Groups::default(),
            groups: Vec::new(),
        };
        library.read_planes()?;
        library.read_lines()?;
        library.read_hidden()?;
        library.read_containers()?;
        library.read_attributes()?;
        library.read_families()?;
        Ok(library)
    }

    /// Drops the families that use one of some groups, to see what those are worth.
    pub fn drop_groups(&mut self, names: &[&str]) {
        let dropped = names.iter().filter_map(|name| self.group_named(name));
        let dropped = dropped.fold(Groups::default(), Groups::with);
        for tier in self.tiers.iter_mut().chain([&mut self.scans]) {
            tier.retain(|family| family.without(dropped) == *family);
        }
    }

    /// What a group is called.
    pub fn group_name(&self, group: GroupId) -> &str {
        &self.groups[usize::from(group.0)]
    }

    /// The groups of a family, by name.
    pub fn family_name(&self, groups: Groups) -> String {
        let names = (0..).map(GroupId).zip(&self.groups);
        let names = names.filter(|(id, _)| groups.has(*id)).map(|(_, name)| name.as_str());
        names.collect::<Vec<_>>().join("+")
    }

    /// How many groups there are.
    pub fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// What has to be evaluated for a group, since it has no twin.
    pub fn roots(&self, group: GroupId) -> Vec<(Root, NodeId)> {
        let planes = self.planes.iter().enumerate();
        let planes = planes.filter(|(_, plane)| plane.group == group && plane.twin.is_none());
        let planes = planes.map(|(at, plane)| (Root::Plane(at), plane.node));
        let containers = self.containers.iter().enumerate().filter(|(_, container)| {
            let cells = container.items == ItemKind::Cell;
            container.feature.group == group && container.twin.is_none() && !cells
        });
        let containers = containers.map(|(at, c)| (Root::Container(at), c.feature.node));
        let attributes = self.attributes.iter().enumerate();
        let attributes = attributes.filter(|(_, a)| a.group == group && a.twin.is_none());
        let attributes = attributes.map(|(at, a)| (Root::Attribute(at), a.values));
        planes.chain(containers).chain(attributes).collect()
    }

    /// The planes, and the containers of shapes.
    pub fn seeds(&self) -> Vec<NodeId> {
        let planes = self.planes.iter().filter(|plane| !self.unseeded.has(plane.group));
        let planes = planes.map(|plane| plane.node);
        let shapes = self.containers.iter().filter(|container| container.items == ItemKind::Shape);
        planes.chain(shapes.map(|container| container.feature.node)).collect()
    }

    fn group(&mut self, name: &str) -> GroupId {
        let at = self.groups.iter().position(|known| known == name).unwrap_or_else(|| {
            self.groups.push(name.to_string());
            self.groups.len() - 1
        });
        GroupId(at as u8)
    }

    fn read_planes(&mut self) -> Result<(), LibraryError> {
        let mut texts = Definitions::new("planes.txt");
        for entry in entries(PLANES) {
            let group = self.group(entry.section);
            if entry.section == HITS {
                self.unseeded = self.unseeded.with(group);
            }
            let Some(source) = texts.define(&entry)? else { continue };
            let node = texts.read(&mut self.store, &entry, &source, Given::grid(Store::INPUT))?;
            let twin = PlaneOf::named(entry.section, entry.name);
            self.planes.push(Feature { name: entry.name.to_string(), group, node, twin });
        }
        Ok(())
    }

    fn read_lines(&mut self) -> Result<(), LibraryError> {
        let mut texts = Definitions::new("lines.txt");
        for entry in lines::entries() {
            let group = self.group(entry.section);
            self.unseeded = self.unseeded.with(group);
            let Some(source) = texts.define(&entry)? else { continue };
            for (name, source) in lines::planes(&source) {
                let node =
                    texts.read(&mut self.store, &entry, &source, Given::grid(Store::INPUT))?;
                let name = format!("{} {name}", entry.section);
                self.planes.push(Feature { name, group, node, twin: None });
            }
        }
        Ok(())
    }

    fn read_hidden(&mut self) -> Result<(), LibraryError> {
        let mut texts = Definitions::new("hidden.txt");
        for entry in entries(HIDDEN) {
            let group = self.group(entry.section);
            let Some(source) = texts.define(&entry)? else { continue };
            let input = self.store.add(Expr::Input(Input::C));
            let given = Given { input: Store::INPUT, container: Some(input) };
            let node = texts.read(&mut self.store, &entry, &source, given)?;
            self.hidden.push(Feature { name: entry.name.to_string(), group, node, twin: None });
        }
        // Views have no text of their own.
        self.group(VIEWS);
        self.group(WRITTEN);
        self.group(LISTS);
        Ok(())
    }

    /// The group of views as planes.
    pub fn views(&self) -> GroupId {
        let at = self.groups.iter().position(|name| name == VIEWS);
        GroupId(at.unwrap_or(0) as u8)
    }

    /// The group of what is written already.
    pub fn written(&self) -> GroupId {
        self.group_named(WRITTEN).unwrap_or(GroupId(0))
    }

    /// A group, by its name.
    pub fn group_named(&self, name: &str) -> Option<GroupId> {
        self.groups.iter().position(|known| known == name).map(|at| GroupId(at as u8))
    }

    fn read_containers(&mut self) -> Result<(), LibraryError> {
        let mut texts = Definitions::new("containers.txt");
        for entry in entries(CONTAINERS) {
            let (items, name) = match entry.name.split_once(' ') {
                Some(("cells", name)) => (ItemKind::Cell, name),
                Some(("lines", name)) => (ItemKind::Line, name),
                _ => (ItemKind::Shape, entry.name),
            };
            let group = self.group(entry.section);
            let Some(source) = texts.define(&entry)? else { continue };
            let node = texts.read(&mut self.store, &entry, &source, Given::grid(Store::INPUT))?;
            let feature = Feature { name: name.to_string(), group, node, twin: None };
            self.containers.push(Container { feature, items, twin: ItemsOf::named(name) });
            if let Some((group, _)) = WITHIN.iter().find(|(_, container)| *container == name) {
                let at = ContainerId(self.containers.len() as u16 - 1);
                let group = self.group(group);
                self.within.push((group, at));
            }
            if let Some((group, _)) = REACH.iter().find(|(_, container)| *container == name) {
                let at = ContainerId(self.containers.len() as u16 - 1);
                let group = self.group(group);
                self.reach.push((group, at));
            }
        }
        Ok(())
    }

    fn read_attributes(&mut self) -> Result<(), LibraryError> {
        let mut texts = Definitions::new("attributes.txt");
        for entry in entries(ATTRIBUTES) {
            let (kind, group) = match entry.section.split_once(' ') {
                Some((kind, group)) => (kind, Some(group)),
                None => (entry.section, None),
            };
            let wrong = |what: &str| texts.error(&entry, what);
            let kind = item_kind(kind).ok_or_else(|| wrong("no such kind of item"))?;
            let group = group.map(|name| self.group(name));
            let (is_color, name) = match entry.name.strip_prefix("colour ") {
                Some(name) => (true, name),
                None => (false, entry.name),
            };
            let Some(source) = texts.define(&entry)? else { continue };
            for at in 0..self.containers.len() {
                let container = &self.containers[at];
                if container.items != kind {
                    continue;
                }
                let (items, group) =
                    (container.feature.node, group.unwrap_or(container.feature.group));
                let given = Given { input: Store::INPUT, container: Some(items) };
                let function = texts.read(&mut self.store, &entry, &source, given)?;
                let tuple = self.store.call(Op::Totuple, &[items]);
                let values = self.store.call(Op::Apply, &[function, tuple]);
                self.attributes.push(Attribute {
                    name: name.to_string(),
                    group,
                    container: ContainerId(at as u16),
                    function,
                    values,
                    is_color,
                    twin: match kind {
                        ItemKind::Cell => {
                            LocationAttribute::named(name).map(AttributeTwin::Location)
                        }
                        _ => native::item_attribute(name).map(AttributeTwin::Item),
                    },
                });
            }
        }
        Ok(())
    }

    fn read_families(&mut self) -> Result<(), LibraryError> {
        for (line, text) in lines(FAMILIES) {
            if text == "---" {
                self.tiers.push(Vec::new());
                continue;
            }
            let mut groups = Groups::default();
            for name in text.split(' ') {
                let Some(at) = self.groups.iter().position(|known| known == name) else {
                    let what = format!("there is no group called {name}");
                    return Err(LibraryError { file: "families.txt", line, what });
                };
                groups = groups.with(GroupId(at as u8));
            }
            if groups.has(self.written()) {
                self.scans.push(groups);
                continue;
            }
            let last = self.tiers.len() - 1;
            self.tiers[last].push(groups);
        }
        Ok(())
    }
}

/// A line of a library: a section, a name and an expression.
pub(crate) struct Entry<'a> {
    line: usize,
    pub(crate) section: &'a str,
    pub(crate) name: &'a str,
    source: &'a str,
    /// Whether it only names an expression that others use.
    is_let: bool,
}

/// The lines that say something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

pub(crate) fn entries(text: &str) -> Vec<Entry<'_>> {
    let (mut section, mut out) = ("", Vec::new());
    for (line, text) in lines(text) {
        if let Some(name) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
        } else if let Some(name) = text.strip_prefix("of ").filter(|_| !text.contains('=')) {
            section = name;
        } else {
            let (name, source) = text.split_once('=').unwrap_or((text, ""));
            let name = name.trim();
            let (is_let, name) = match name.strip_prefix("let ") {
                Some(name) => (true, name),
                None => (false, name),
            };
            out.push(Entry { line, section, name, source: source.trim(), is_let });
        }
    }
    out
}

/// The expressions that were named so far, for those that use them.
pub(crate) struct Definitions {
    file: &'static str,
    known: Vec<(String, String)>,
}

impl Definitions {
    pub(crate) fn new(file: &'static str) -> Definitions {
        Definitions { file, known: Vec::new() }
    }

    fn error(&self, entry: &Entry, what: &str) -> LibraryError {
        LibraryError { file: self.file, line: entry.line, what: format!("{}: {what}", entry.name) }
    }

    /// The expression with the named ones put in; `None` where it is only for others to use, or needs
    /// a primitive that this build lacks.
    pub(crate) fn define(&mut self, entry: &Entry) -> Result<Option<String>, LibraryError> {
        let mut source = entry.source.to_string();
        for (name, text) in &self.known {
            source = source.replace(&format!("{{{name}}}"), text);
        }
        if lines::open(&source).contains('{') {
            return Err(self.error(entry, "names an expression that is not above it"));
        }
        self.known.push((entry.name.to_string(), source.clone()));
        Ok((!entry.is_let).then_some(source))
    }

    pub(crate) fn read(
        &self,
        store: &mut Store,
        entry: &Entry,
        source: &str,
        given: Given,
    ) -> Result<NodeId, LibraryError> {
        store.read(source, given).map_err(|what| self.error(entry, &what))
    }
}
