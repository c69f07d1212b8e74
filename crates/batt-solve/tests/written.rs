//! What a rule asks natively is what its written form asks.

use batt_lang::Value;
use batt_run::engine::{self, Engine};
use batt_run::stop::NEVER;
use batt_run::tasks::{self, Grid};
use batt_solve::columns::{Ask, Columns, Features};
use batt_solve::evaluate::Sheet;
use batt_solve::library::{GroupId, Library, Root};
use batt_solve::scene::Scene;
use batt_solve::store::Store;
use batt_solve::write::{Paint, Writer};

/// Evaluates what has no twin.
struct Evaluated<'a> {
    engine: &'a dyn Engine,
    library: &'a Library,
    grids: &'a [Grid],
}

impl Features for Evaluated<'_> {
    fn evaluate(&self, group: GroupId) -> Vec<(Root, Vec<Option<Value>>)> {
        let (roots, nodes): (Vec<Root>, Vec<_>) = self.library.roots(group).into_iter().unzip();
        let sheet = Sheet::new(self.library.store.body(), nodes);
        let values = sheet.load(self.engine, &NEVER).values(self.grids);
        roots.into_iter().zip(values).collect()
    }
}

#[test]
fn questions_and_paints_mean_what_is_written() {
    let engine = engine::engine("cpu").unwrap();
    let library = Library::embedded().unwrap();
    let mut compared = 0;
    for task in tasks::embedded().tasks() {
        let inputs: Vec<Grid> = task.demos.iter().map(|demo| demo.input.clone()).collect();
        // What the inputs become does not matter here; each becomes the same with 0 and 1 exchanged, so that all is asked.
        let targets: Vec<&Grid> = inputs.iter().collect();
        let scene = Scene::new(&inputs, &targets).unwrap();
        let features = Evaluated { engine: &*engine, library: &library, grids: &inputs };
        let mut columns = Columns::new(&scene, &library, &features);
        for family in library.tiers.iter().flatten() {
            columns.tests_of(*family);
        }
        let mut store = Store::default();
        let (mut writer, mut roots) = (
            Writer { store: &mut store, library: &library, columns: &columns, grid: Store::INPUT },
            Vec::new(),
        );
        for test in &columns.tests {
            roots.push(writer.ask(test.ask));
        }
        for plane in 0..columns.planes.len() {
            roots.push(writer.paint(Paint::Plane(plane), None, Store::INPUT));
        }
        let roots_at = roots.clone();
        let sheet = Sheet::new(store.body(), roots);
        let given = sheet.load(&*engine, &NEVER).values(&inputs);
        let (asked, painted) = given.split_at(columns.tests.len());
        for (test, given) in columns.tests.iter().zip(asked) {
            let given_at = given;
            let given: Option<Vec<&Value>> = given.iter().map(Option::as_ref).collect();
            let cells = given.and_then(|given| scene.chosen(&given));
            if cells.as_ref() != Some(&test.yes) {
                let at = asked.iter().position(|other| std::ptr::eq(other, given_at)).unwrap();
                println!("{}", batt_lang::text::print(&store.program(roots_at[at], &task.id)));
                println!("{given_at:?}");
            }
            assert_eq!(
                cells.as_ref(),
                Some(&test.yes),
                "{}: {}",
                task.id,
                named(&columns, test.ask)
            );
            compared += 1;
        }
        for (plane, given) in columns.planes.iter().zip(painted) {
            let given: Option<Vec<&Value>> = given.iter().map(Option::as_ref).collect();
            let paints = given.and_then(|given| scene.plane(&given));
            assert_eq!(paints.as_ref(), Some(&plane.paints), "{}: {:?}", task.id, plane.source);
            compared += 1;
        }
    }
    assert!(compared > 10_000, "{compared} compared");
}

/// A question with names, for messages.
fn named(columns: &Columns, ask: Ask) -> String {
    let plane = |plane: usize| columns.name(plane);
    match ask {
        Ask::Is(a, color) => format!("{} is {color}", plane(a)),
        Ask::Nothing(a) => format!("{} says nothing", plane(a)),
        Ask::Agree(a, b) => format!("{} and {} agree", plane(a), plane(b)),
        Ask::Chosen(at) => format!("chosen by {at}"),
        Ask::Reached(at, when, reach) => format!("{reach:?} of attribute {at} {when:?}"),
        Ask::Within(at, place, when) => format!("{place:?} in container {at} {when:?}"),
        Ask::Item(at, when) => format!("attribute {at} {when:?}"),
    }
}
