//! Kinds of items: the containers of the library, what may be asked of their items and what may be done
//! with them.

use batt_lang::Op;
use batt_lang::program::NodeId;

use crate::library::{Definitions, ItemKind, Library, LibraryError, entries};
use crate::store::{Given, Store};

const ACTIONS: &str = include_str!("../../library/actions.txt");
const CROPS: &str = include_str!("../../library/crops.txt");
const TOWARDS: &str = include_str!("../../library/towards.txt");
const RELATIONS: &str = include_str!("../../library/relations.txt");

/// Actions of this section may be drawn in colours that attributes tell.
const PLAIN: &str = "as it is";
/// Actions of this section and of those after it take long for many objects.
const DEAR: &str = "joined";

/// A function of an item, and its values for all items of a grid.
#[derive(Clone, Debug)]
pub struct Action {
    /// What explanations call it.
    pub name: String,
    /// Whether it takes long for many objects.
    pub is_dear: bool,
    /// Whether it may be drawn in colours that attributes tell.
    pub is_plain: bool,
    /// The function.
    pub function: NodeId,
    /// What it gives, as a tuple in the order of the container.
    pub values: NodeId,
    /// Whether it is a colour, if it is an attribute.
    pub is_color: bool,
}

/// A container with all that concerns its items.
#[derive(Clone, Debug)]
pub struct Kind {
    /// What explanations call it.
    pub name: String,
    /// The container.
    pub items: NodeId,
    /// What may be asked.
    pub attributes: Vec<Action>,
    /// What may be drawn.
    pub actions: Vec<Action>,
    /// How many of these come before those that take long for many objects.
    pub cheap: usize,
    /// What may be drawn with regard to a colour, from 1 to 9.
    pub towards: Vec<Vec<Action>>,
    /// What may be an output as a whole.
    pub crops: Vec<Action>,
}

/// All kinds, over one store.
#[derive(Clone, Debug)]
pub struct Kinds {
    /// The expressions.
    pub store: Store,
    /// The kinds.
    pub kinds: Vec<Kind>,
}

impl Kinds {
    /// The containers of a library whose items are objects.
    pub fn new(library: &Library) -> Result<Kinds, LibraryError> {
        let mut kinds = Kinds { store: Store::default(), kinds: Vec::new() };
        for (at, container) in library.containers.iter().enumerate() {
            if container.items == ItemKind::Shape {
                let kind = kinds.kind(library, at)?;
                kinds.kinds.push(kind);
            }
        }
        Ok(kinds)
    }

    fn kind(&mut self, library: &Library, at: usize) -> Result<Kind, LibraryError> {
        let (store, body) = (&mut self.store, library.store.body());
        let (container, given) = (&library.containers[at], Given::grid(Store::INPUT));
        let items = store.graft(body, container.feature.node, given);
        let mut attributes = Vec::new();
        for attribute in library.attributes.iter().filter(|a| usize::from(a.container.0) == at) {
            attributes.push(Action {
                name: attribute.name.clone(),
                is_dear: false,
                is_plain: false,
                function: store.graft(body, attribute.function, given),
                values: store.graft(body, attribute.values, given),
                is_color: attribute.is_color,
            });
        }
        attributes.extend(functions(store, "relations.txt", RELATIONS, items)?);
        let actions = functions(store, "actions.txt", ACTIONS, items)?;
        let is_dear = |action: &Action| action.is_dear;
        let cheap = actions.iter().position(is_dear).unwrap_or(actions.len());
        let towards = (1..10).map(|color| {
            let color = color.to_string();
            let text =
                TOWARDS.replace(" K)", &format!(" {color})")).replace(" K ", &format!(" {color} "));
            functions(store, "towards.txt", &text, items)
        });
        let towards = towards.collect::<Result<_, LibraryError>>()?;
        let crops = functions(store, "crops.txt", CROPS, items)?;
        let name = container.feature.name.clone();
        Ok(Kind { name, items, attributes, actions, cheap, towards, crops })
    }
}

/// Reads functions of the items of a container.
fn functions(
    store: &mut Store,
    file: &'static str,
    text: &str,
    items: NodeId,
) -> Result<Vec<Action>, LibraryError> {
    let mut texts = Definitions::new(file);
    let given = Given { input: Store::INPUT, container: Some(items) };
    let mut out = Vec::new();
    for entry in entries(text) {
        let Some(source) = texts.define(&entry)? else { continue };
        let function = texts.read(store, &entry, &source, given)?;
        let tuple = store.call(Op::Totuple, &[items]);
        let values = store.call(Op::Apply, &[function, tuple]);
        let (is_color, name) = match entry.name.strip_prefix("colour ") {
            Some(name) => (true, name),
            None => (false, entry.name),
        };
        out.push(Action {
            name: name.to_string(),
            is_dear: entry.section == DEAR,
            is_plain: entry.section == PLAIN,
            function,
            values,
            is_color,
        });
    }
    Ok(out)
}
