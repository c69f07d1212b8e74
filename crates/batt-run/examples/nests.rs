use batt_lang::card::{Card, Options};
use batt_lang::program::Definition;
use batt_lang::text;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let source = std::fs::read_to_string(&args[0]).unwrap();
    let mut found = Vec::new();
    for d in text::parse(&source).definitions {
        if let Definition::Program(p) = d {
            let mut card = Card::new(Options::default());
            card.add(&p);
            let b = card.deal();
            for (slot, nest) in b.nests() {
                found.push((
                    nest.allowed,
                    p.name.clone(),
                    format!("{slot:?} own {:?} inner {:?}", nest.own, nest.inner),
                ));
            }
        }
    }
    found.sort();
    for f in found.iter().take(150) {
        println!("{:?}", f);
    }
}
