//! `batt ops`: the primitives, as the table has them.

use std::io::Write;

use batt::lang::{Guard, Op, Prim, Role};
use serde_json::json;

use crate::cli::OpsArgs;
use crate::context::{Context, Verdict};
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
        return Err(Failure::new(
            format!("no primitive is called `{name}` or described with that word"),
            "`batt ops` lists all primitives",
        ));
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
    let count = if ops.len() == 1 { "1 primitive".into() } else { format!("{} primitives", ops.len()) };
    writeln!(context, "\n{count}; `batt ops NAME` shows one with an example")?;
    Ok(())
}

/// `name(argument, …)`.
fn signature(prim: Prim) -> String {
    let names: Vec<_> = prim.info().params.iter().map(|p| p.name).collect();
    format!("{prim}({})", names.join(", "))
}

/// The names that restrict an argument, `first_t` and so on.
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
