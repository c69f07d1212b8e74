//! `batt ops`: the primitives, as the table has them.

use std::io::Write;

use batt::lang::ops::{Meaning, Reading};
use batt::lang::{Guard, Input, Op, Prim, Role};
use batt::run::reference::eval::{self, Policy};
use serde_json::json;

use super::demo::Demo;
use crate::cli::OpsArgs;
use crate::context::{Context, Verdict};
use crate::draw;
use crate::failure::Failure;

/// The groups of the table, each from its first primitive on.
const GROUPS: [(&str, Op); 6] = [
    ("numbers and truth", Op::Identity),
    ("containers and functions", Op::Sfilter),
    ("colours and measures", Op::Mostcolor),
    ("grids", Op::Rot90),
    ("lines, boxes and what repeats", Op::Vfrontier),
    ("beyond arc-dsl", Op::OG),
];

/// Lists the primitives or explains one.
pub fn run(args: &OpsArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let Some(name) = &args.name else {
        list(Op::ALL, args.json, context)?;
        return Ok(Verdict::Good);
    };
    if let Some(prim) = Prim::named(name) {
        explain(prim, args.json, context)?;
        return Ok(Verdict::Good);
    }
    let found = matching(name);
    if found.is_empty() {
        let near = batt::lang::text::nearest_primitive(name);
        let hint = near.map_or("`batt ops` lists all primitives".to_string(), |near| {
            format!("did you mean `{near}`?")
        });
        let message = format!("no primitive is called `{name}` or described with that word");
        return Err(Failure::error(message, hint));
    }
    list(&found, args.json, context)?;
    Ok(Verdict::Good)
}

/// The primitives whose names or description hold a word.
fn matching(word: &str) -> Vec<Op> {
    let word = word.to_lowercase();
    let holds = |op: &Op| {
        let info = op.info();
        info.name.contains(&word)
            || info.doc.to_lowercase().contains(&word)
            || info.aliases.iter().any(|alias| alias.contains(&word))
    };
    Op::ALL.iter().copied().filter(holds).collect()
}

fn list(ops: &[Op], json: bool, context: &mut Context) -> anyhow::Result<()> {
    if json {
        let rows: Vec<_> = ops.iter().map(|op| row(*op)).collect();
        serde_json::to_writer_pretty(&mut *context, &json!({ "schema": 1, "ops": rows }))?;
        writeln!(context)?;
        return Ok(());
    }
    let style = context.style;
    let width = ops.iter().map(|op| signature(Prim::from(*op)).chars().count()).max().unwrap_or(0);
    let width = width.min(44);
    for (at, (group, start)) in GROUPS.iter().enumerate() {
        let end = GROUPS.get(at + 1).map(|(_, op)| *op);
        let inside = |op: &&Op| **op >= *start && end.is_none_or(|end| **op < end);
        let mut rows = ops.iter().filter(inside).peekable();
        if rows.peek().is_some() {
            writeln!(context, "{}", style.bold(group))?;
        }
        for op in rows {
            let text = signature(Prim::from(*op));
            let pad = " ".repeat(width.saturating_sub(text.chars().count()));
            writeln!(context, "  {text}{pad}  {}", style.dim(op.info().doc))?;
        }
    }
    let count =
        if ops.len() == 1 { "1 primitive".into() } else { format!("{} primitives", ops.len()) };
    writeln!(context, "\n{count}; `batt ops NAME` shows one with an example")?;
    Ok(())
}

/// `name(argument, …)`.
fn signature(prim: Prim) -> String {
    let names: Vec<_> = prim.info().params.iter().map(|p| p.name).collect();
    format!("{prim}({})", names.join(", "))
}

/// The names with a suffix, `first_t` and so on.
fn suffixed(op: Op) -> Vec<String> {
    Guard::SUFFIXED
        .iter()
        .map(|guard| Prim { op, guard: *guard })
        .filter(|prim| Prim::named(&prim.to_string()) == Some(*prim))
        .map(|prim| prim.to_string())
        .collect()
}

fn role(op: Op) -> &'static str {
    match op.info().role {
        Role::Pure => "a plain function of its arguments",
        Role::Runs => "runs a function that it is given",
        Role::Makes => "makes a function",
    }
}

fn row(op: Op) -> serde_json::Value {
    let info = op.info();
    let params: Vec<_> = info
        .params
        .iter()
        .map(|p| json!({ "name": p.name, "kind": p.kind.to_string(), "guarded": p.guarded }))
        .collect();
    json!({
        "name": info.name,
        "doc": info.doc,
        "params": params,
        "result": info.result.to_string(),
        "role": match info.role { Role::Pure => "pure", Role::Runs => "runs", Role::Makes => "makes" },
        "example": info.example,
        "aliases": info.aliases,
        "suffixed": suffixed(op),
    })
}

fn explain(prim: Prim, json: bool, context: &mut Context) -> anyhow::Result<()> {
    let (op, info, style) = (prim.op, prim.info(), context.style);
    if json {
        let mut row = row(op);
        row["schema"] = json!(1);
        serde_json::to_writer_pretty(&mut *context, &row)?;
        writeln!(context)?;
        return Ok(());
    }
    writeln!(context, "{}", style.bold(&signature(prim)))?;
    writeln!(context, "  {}", info.doc)?;
    writeln!(context)?;
    let width = info.params.iter().map(|p| p.name.len()).max().unwrap_or(0).max(6);
    for (at, param) in info.params.iter().enumerate() {
        let read = read(prim.reading(at));
        writeln!(context, "  {:<width$}  {}{read}", param.name, param.kind)?;
    }
    let gives = meaning(prim).unwrap_or_else(|| info.result.to_string());
    writeln!(context, "  {:<width$}  {gives}", "gives")?;
    writeln!(context, "  {:<width$}  {}", "role", role(op))?;
    let mut names: Vec<String> = info.aliases.iter().map(ToString::to_string).collect();
    names.extend(suffixed(op));
    if !names.is_empty() {
        writeln!(context, "  {:<width$}  {}", "names", names.join(", "))?;
    }
    writeln!(context)?;
    example(op, context)
}

/// How a suffixed name reads an argument.
fn read(reading: Reading) -> &'static str {
    match reading {
        Reading::AsIs => "",
        Reading::Tuple => ", read as a tuple",
        Reading::Set => ", read as a set",
    }
}

/// What a suffixed name runs, where it is no more than its plain name with other arguments.
fn meaning(prim: Prim) -> Option<String> {
    match prim.meaning() {
        Meaning::Plain(op) if op == prim.op => None,
        Meaning::Plain(op) => Some(format!("the same as {}", op.info().name)),
        Meaning::Keep(key) => {
            let (items, wanted) = (prim.info().params[0].name, prim.info().params[1].name);
            Some(format!("a tuple of those of {items} whose {} is {wanted}", key.info().name))
        }
    }
}

/// Runs the table's example and draws what it reads and gives.
fn example(op: Op, context: &mut Context) -> anyhow::Result<()> {
    let (text, style) = (op.info().example, context.style);
    let demo = Demo::new(op);
    let program = batt::lang::text::parse_expression(text).map_err(|problems| {
        anyhow::anyhow!("the example of {op:?} cannot be read: {problems:?}")
    })?;
    let mut blocks = Vec::new();
    if program.reads(Input::I) {
        blocks.extend(draw::value(&style, "I", &demo.grid, None));
    }
    if program.reads(Input::S) {
        let pairs = demo.pairs.elements_of();
        for (n, pair) in pairs.iter().flat_map(|pairs| pairs.iter()).enumerate() {
            let sides = pair.elements_of();
            for (side, name) in sides.iter().flat_map(|s| s.iter()).zip(["input", "output"]) {
                blocks.extend(draw::value(&style, &format!("S[{n}] {name}"), side, None));
            }
        }
    }
    match eval::run(&program, &demo.inputs(), Policy::Strict) {
        Ok(value) => blocks.extend(draw::value(&style, text, &value, None)),
        Err(trouble) => {
            let mut block = draw::Block::new(text);
            block.text(&trouble.fault.to_string(), 60);
            blocks.push(block);
        }
    }
    writeln!(context, "{}", style.bold("example"))?;
    for line in draw::beside(&blocks, style.width.saturating_sub(2)).lines() {
        writeln!(context, "{}", format!("  {line}").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_runs() {
        for &op in Op::ALL {
            let demo = Demo::new(op);
            let example = op.info().example;
            let program = batt::lang::text::parse_expression(example).expect(example);
            let result = eval::run(&program, &demo.inputs(), Policy::Strict);
            assert!(result.is_ok(), "{example}: {result:?}");
        }
    }

    #[test]
    fn every_example_shows_its_primitive() {
        for &op in Op::ALL {
            assert!(op.info().example.contains(&format!("{}", Prim::from(op))), "{op:?}");
        }
    }

    #[test]
    fn words_are_looked_for_in_descriptions() {
        assert!(matching("mirrored").contains(&Op::Cmirror));
        assert!(matching("f_ofcolor").contains(&Op::Ofcolor));
        assert!(matching("no such word").is_empty());
    }
}
