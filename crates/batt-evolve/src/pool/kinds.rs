//! Kinds as small numbers. What is asked of a kind is asked thousands of times a second, so answers
//! are remembered.

use batt_lang::card::mutate;
use batt_lang::constants::{self, ConstId};
use batt_lang::ops::typing::{Letters, fits, result, set_item, tuple_item};
use batt_lang::ops::{Guard, Role};
use batt_lang::{Kind, Op, Prim};
use rustc_hash::FxHashMap as HashMap;

/// A kind, by its place in a [`Kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KindId(pub(super) u16);

impl KindId {
    /// What is not known.
    pub const ANY: KindId = KindId(0);
    /// A grid.
    pub const GRID: KindId = KindId(1);
    /// Any function.
    pub const FUNCTION: KindId = KindId(2);
    /// The demo pairs.
    pub const PAIRS: KindId = KindId(3);
    /// An int.
    pub const INT: KindId = KindId(4);
    /// A bool.
    pub const BOOL: KindId = KindId(5);
    /// A pair of ints.
    pub const IJ: KindId = KindId(6);
}

/// A primitive and the place of one of its arguments.
pub type Slot = (Op, u8);

/// All kinds that were met.
#[derive(Debug)]
pub struct Kinds {
    all: Vec<Kind>,
    ids: HashMap<Kind, KindId>,
    calls: HashMap<(Prim, [KindId; 4]), Option<KindId>>,
    wrappers: HashMap<KindId, Vec<Slot>>,
    functions: HashMap<(KindId, KindId), Vec<Prim>>,
    params: HashMap<Slot, Vec<ConstId>>,
    alike: HashMap<Prim, Vec<Prim>>,
}

impl Default for Kinds {
    fn default() -> Kinds {
        let function = Kind::Fn(Vec::new(), Box::new(Kind::Any));
        let all =
            vec![Kind::Any, Kind::Grid, function, Kind::Pairs, Kind::Int, Kind::Bool, Kind::IJ];
        let ids = (0..).map(KindId).zip(&all).map(|(id, kind)| (kind.clone(), id)).collect();
        Kinds {
            all,
            ids,
            calls: HashMap::default(),
            wrappers: HashMap::default(),
            functions: HashMap::default(),
            params: HashMap::default(),
            alike: HashMap::default(),
        }
    }
}

impl Kinds {
    /// The kind with this number.
    pub fn get(&self, id: KindId) -> &Kind {
        &self.all[usize::from(id.0)]
    }

    /// The number of a kind; letters that stand for nothing may be any.
    pub fn id(&mut self, kind: &Kind) -> KindId {
        if let Some(id) = self.ids.get(kind) {
            return *id;
        }
        let closed = close(kind);
        if let Some(id) = self.ids.get(&closed) {
            return *id;
        }
        let id = KindId(self.all.len().min(usize::from(u16::MAX)) as u16);
        if self.all.len() >= usize::from(u16::MAX) {
            return KindId::ANY;
        }
        self.all.push(closed.clone());
        self.ids.insert(closed, id);
        id
    }

    /// What a primitive that is given no functions gives; `None` if the arguments do not fit.
    pub fn call(&mut self, prim: Prim, args: &[KindId]) -> Option<KindId> {
        let mut key = [KindId::ANY; 4];
        for (to, from) in key.iter_mut().zip(args) {
            *to = *from;
        }
        if let Some(known) = self.calls.get(&(prim, key)) {
            return *known;
        }
        let given: Vec<Kind> = args.iter().map(|id| self.get(*id).clone()).collect();
        let found = self.uncached_call(prim, &given);
        self.calls.insert((prim, key), found);
        found
    }

    fn uncached_call(&mut self, prim: Prim, args: &[Kind]) -> Option<KindId> {
        let info = prim.info();
        let mut letters = Letters::default();
        // A cell is also a pair of a colour and a location.
        let rows = |at: usize| matches!(info.params.get(at), Some(p) if is_container(&p.kind));
        let args: Vec<Kind> = (0..)
            .zip(args)
            .map(|(at, kind)| match kind {
                Kind::Cell if rows(at) => Kind::Tup(Box::new(Kind::Any)),
                other => other.clone(),
            })
            .collect();
        let params = info.params.iter();
        let fit = params.zip(&args).all(|(param, kind)| {
            fits(&param.kind, kind, &mut letters) && (!param.guarded || guard(prim.guard, kind))
        });
        let fit = fit && args.len() == info.params.len();
        fit.then(|| self.id(&result(prim.op, &args, &letters)))
    }

    /// The primitives that take a value of this kind at some place and can give one of the same kind.
    pub fn wrappers(&mut self, kind: KindId) -> &[Slot] {
        if !self.wrappers.contains_key(&kind) {
            let found = self.find_wrappers(kind);
            self.wrappers.insert(kind, found);
        }
        self.wrappers.get(&kind).map_or(&[], Vec::as_slice)
    }

    fn find_wrappers(&mut self, kind: KindId) -> Vec<Slot> {
        let have = self.get(kind).clone();
        let mut found = Vec::new();
        for &op in Op::ALL {
            let info = op.info();
            if info.role == Role::Makes || op == Op::Identity {
                continue;
            }
            // Few programs want a grid as a tuple of rows, and most that do get it torn.
            if kind == KindId::GRID && takes_rows(op) && !matches!(op, Op::Apply | Op::Order) {
                continue;
            }
            for at in 0..info.params.len() {
                let mut letters = Letters::default();
                if !fits(&info.params[at].kind, &have, &mut letters) {
                    continue;
                }
                let args: Vec<Kind> = (0..info.params.len())
                    .map(|i| if i == at { have.clone() } else { usual(&info.params[i].kind) })
                    .collect();
                let gives = close(&result(op, &args, &letters));
                if gives == have || gives == Kind::Any && have != Kind::Any {
                    found.push((op, at as u8));
                }
            }
        }
        found
    }

    /// The primitives of one argument that take a kind and give another.
    pub fn functions(&mut self, takes: KindId, gives: KindId) -> &[Prim] {
        if !self.functions.contains_key(&(takes, gives)) {
            let wanted = self.get(gives).clone();
            let mut found = Vec::new();
            for &op in Op::ALL {
                let plain = op.arity() == 1 && op.info().role == Role::Pure && op != Op::Identity;
                if plain
                    && let Some(kind) = self.call(op.into(), &[takes])
                    && fits(&wanted, &self.get(kind).clone(), &mut Letters::default())
                {
                    found.push(op.into());
                }
            }
            self.functions.insert((takes, gives), found);
        }
        self.functions.get(&(takes, gives)).map_or(&[], Vec::as_slice)
    }

    /// The constants that make sense as an argument.
    pub fn constants(&mut self, slot: Slot) -> &[ConstId] {
        self.params.entry(slot).or_insert_with(|| {
            let param = slot.0.info().params.get(usize::from(slot.1));
            param.map_or_else(Vec::new, |p| constants::fitting(p.name, &p.kind))
        })
    }

    /// The other primitives of the same signature.
    pub fn alike(&mut self, prim: Prim) -> &[Prim] {
        self.alike.entry(prim).or_insert_with(|| mutate::alike(prim))
    }

    /// Whether a value of a kind may be an output.
    pub fn is_output(&self, kind: KindId) -> bool {
        let rows = Kind::Tup(Box::new(Kind::Tup(Box::new(Kind::Int))));
        fits(&rows, self.get(kind), &mut Letters::default())
    }
}

/// Whether a primitive takes containers of anything.
pub fn takes_rows(op: Op) -> bool {
    op.info().params.iter().any(|param| is_container(&param.kind))
}

fn is_container(kind: &Kind) -> bool {
    matches!(kind, Kind::Cont(_) | Kind::Tup(_))
}

/// What most often stands where a kind is asked for.
fn usual(kind: &Kind) -> Kind {
    match kind {
        Kind::Num => Kind::Int,
        Kind::Patch => Kind::Indices,
        Kind::Piece | Kind::Element => Kind::Grid,
        Kind::Var(_) => Kind::Any,
        other => other.clone(),
    }
}

/// A kind whose open letters may be any.
fn close(kind: &Kind) -> Kind {
    let inner = |k: &Kind| Box::new(close(k));
    match kind {
        Kind::Var(_) => Kind::Any,
        // Rows together are a grid; a grid is no less a tuple of rows.
        Kind::Tup(k) if **k == Kind::Tup(Box::new(Kind::Int)) => Kind::Grid,
        Kind::Tup(k) => Kind::Tup(inner(k)),
        Kind::Set(k) if **k == Kind::Cell => Kind::Object,
        Kind::Set(k) if **k == Kind::IJ => Kind::Indices,
        Kind::Set(k) => Kind::Set(inner(k)),
        // Whether it is a tuple or a set is not known; of cells and of locations it is a set.
        Kind::Cont(k) => match **k {
            Kind::Cell => Kind::Object,
            Kind::IJ => Kind::Indices,
            _ => Kind::Any,
        },
        Kind::Fn(..) => Kind::Fn(Vec::new(), Box::new(Kind::Any)),
        plain => plain.clone(),
    }
}

/// Whether a value of a kind may stand where a suffix asks for something.
fn guard(guard: Guard, kind: &Kind) -> bool {
    let item = || set_item(kind).unwrap_or(Kind::Any);
    *kind == Kind::Any
        || match guard {
            Guard::None => true,
            Guard::Tuple => tuple_item(kind).is_some() || *kind == Kind::Cell,
            Guard::Set => set_item(kind).is_some(),
            Guard::Indices => set_item(kind).is_some() && matches!(item(), Kind::IJ | Kind::Any),
            Guard::Object => set_item(kind).is_some() && matches!(item(), Kind::Cell | Kind::Any),
        }
}
