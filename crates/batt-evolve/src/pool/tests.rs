use batt_lang::program::Definition;
use batt_lang::text;
use batt_run::programs;

use super::*;
use crate::bytes::{In, Out};

fn embedded() -> Vec<batt_lang::Program> {
    let texts = programs::embedded().iter();
    let definitions = texts.flat_map(|(_, source)| text::parse(source).definitions);
    let programs = definitions.filter_map(|definition| match definition {
        Definition::Program(program) => Some(program),
        Definition::Generated(_) => None,
    });
    programs.collect()
}

#[test]
fn programs_come_back_as_they_went_in() {
    use batt_lang::canonical::Canonical;
    let mut pool = Pool::default();
    for program in embedded() {
        let genome = Genome::read(&program);
        let root = genome.add_to(&mut pool);
        let again = Genome::of(&mut pool, root);
        assert_eq!(Canonical::of(&again.program()).hash(), Canonical::of(&program).hash());
        let mut out = Out::default();
        again.write(&mut out);
        let mut bytes = In(&out.0);
        let read = Genome::read_from(&mut bytes).unwrap();
        assert!(bytes.0.is_empty());
        assert_eq!(Canonical::of(&read.program()).hash(), Canonical::of(&program).hash());
    }
}

/// The rules must accept what people write, or nothing near it could be found.
#[test]
fn every_expression_of_our_programs_has_a_kind() {
    for program in embedded() {
        let mut pool = Pool::default();
        let root = Genome::read(&program).add_to(&mut pool);
        for gene in pool.parts(root) {
            let node = pool.node(gene);
            let args: Vec<String> =
                node.args().map(|a| pool.table.get(pool.kind(a)).to_string()).collect();
            assert!(pool.kind_of(&node).is_some(), "{}: {:?} of {args:?}", program.name, node.head);
        }
        assert!(pool.table.is_output(pool.kind(root)), "{}", program.name);
    }
}

#[test]
fn a_graph_has_one_gene_and_one_hash() {
    let read = |source: &str| match text::parse(source).definitions.pop() {
        Some(Definition::Program(program)) => Genome::read(&program),
        other => panic!("{other:?}"),
    };
    let one = read("def a(I):\n    x = rot90(I)\n    O = hconcat(x, x)\n    return O\n");
    let other = read("def b(I):\n    return hconcat(rot90(I), rot90(I))\n");
    let mut pool = Pool::default();
    let gene = one.add_to(&mut pool);
    assert_eq!(other.add_to(&mut pool), gene);
    let hash = pool.hash(gene);
    pool.clear();
    let turned = read("def b(I):\n    return rot180(I)\n").add_to(&mut pool);
    assert_ne!(pool.hash(turned), hash);
    let gene = other.add_to(&mut pool);
    assert_eq!(pool.hash(gene), hash);
}

#[test]
fn replacing_rebuilds_what_needs_it_and_nothing_else() {
    let mut pool = Pool::default();
    let genome = match text::parse("def a(I):\n    x = rot90(I)\n    return hconcat(trim(x), x)\n")
        .definitions
        .pop()
    {
        Some(Definition::Program(program)) => Genome::read(&program),
        other => panic!("{other:?}"),
    };
    let root = genome.add_to(&mut pool);
    let parts = pool.parts(root);
    let input = pool.add(Node::leaf(Head::Input(Input::I))).unwrap();
    let turned = parts[1];
    let made = pool.replace(&parts, turned, input).unwrap();
    let text = text::print(&Genome::of(&mut pool, made).program());
    assert!(text.contains("trim(I)") && !text.contains("rot90"), "{text}");
    let flag = ConstId::named("T").unwrap();
    let flag = pool.add(Node::leaf(Head::Const(flag))).unwrap();
    assert_eq!(pool.replace(&parts, turned, flag), None);
}
