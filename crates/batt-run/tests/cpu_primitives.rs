//! Every primitive of the fast engine gives what the reference gives, or hands the call back.

#[path = "common/sets.rs"]
mod sets;

use std::collections::BTreeMap;

use batt_core::ops::alone::{Alone, Build};
use batt_core::{Cx, Tag, Val};
use batt_lang::ops::Role;
use batt_lang::{Prim, Value};
use batt_run::conform::{Reference, codec};
use batt_run::engine::cpu::{Memory, to_val, to_value};
use batt_run::reference::Machine;
use sets::call_all;

/// Counts of one primitive: calls, values or errors given, calls handed back.
#[derive(Default)]
struct Count {
    calls: usize,
    handed_back: usize,
    /// Calls that one thread of a device does alone.
    alone: usize,
}

fn check(memory: &mut Memory, prim: Prim, args: &[Value], counts: &mut BTreeMap<String, Count>) {
    let expected = Machine::default().prim(prim, args);
    let cx = memory.cx();
    cx.release(0);
    let vals: Vec<_> = args.iter().map(|a| to_val(cx, a)).collect();
    for (arg, val) in args.iter().zip(&vals) {
        if !val.is(Tag::Back) {
            assert_eq!(to_value(cx, *val).as_ref(), Some(arg), "a value changes on the way");
        }
    }
    let count = counts.entry(prim.info().name.to_string()).or_default();
    count.calls += 1;
    if vals.iter().any(|v| v.is_bad()) {
        count.handed_back += 1;
        return;
    }
    let given = call_all(prim, cx, &vals);
    // What a thread finds alone is the same, or nothing.
    if let Some(alone) = by_one_thread(cx, prim.info().name, &vals) {
        assert_eq!(alone.is_bad(), given.is_bad(), "{prim} alone");
        assert_eq!(to_value(cx, alone), to_value(cx, given), "{prim} alone");
        count.alone += 1;
    }
    let text = || args.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match given.tag() {
        Tag::Back => count.handed_back += 1,
        Tag::Error => {
            assert!(expected.is_err(), "{prim}({}) is {expected:?}, not an error", text());
        }
        _ => {
            let value = to_value(cx, given);
            assert!(
                expected.is_ok() && value.as_ref() == expected.as_ref().ok(),
                "{prim}({}) is {expected:?}, not {value:?}",
                text()
            );
        }
    }
}

/// What one thread of a device finds or makes alone.
fn by_one_thread(cx: Cx, name: &str, vals: &[Val]) -> Option<Val> {
    let found = Alone::of(name).and_then(|alone| alone.call(cx, vals));
    if found.is_some() {
        return found;
    }
    let build = Build::of(name)?;
    if let Some(plain) = build.plain(vals) {
        return Some(plain);
    }
    let unit = cx.take(build.planes()).unwrap();
    if build.fits(vals) { build.call(cx, unit, vals) } else { None }
}

#[test]
fn primitives_agree_with_the_reference_on_records() {
    let mut memory = Memory::new(1 << 18);
    let mut counts = BTreeMap::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let golden = std::env::var("BATT_RECORDS").unwrap_or(format!("{root}/../shared/golden"));
    let ours = ["synthetic", "suffixes"].map(|name| format!("{root}/conformance/{name}.jsonl.gz"));
    let mut files = ours.to_vec();
    for name in ["primitives", "edge", "order_variants"] {
        let file = format!("{golden}/{name}.jsonl.gz");
        if std::path::Path::new(&file).exists() {
            files.push(file);
        }
    }
    let only = std::env::var("ONLY").ok();
    for file in files {
        for (_, record) in read(&file) {
            let Some(prim) = record["op"].as_str().and_then(Prim::named) else { continue };
            if prim.info().role != Role::Pure
                || !prim.is_plain()
                || only.as_deref().is_some_and(|o| !o.split(',').any(|o| o == prim.info().name))
            {
                continue;
            }
            let args = record["args"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|a| codec::decode(a, &Reference));
            let Ok(args) = args.collect::<Result<Vec<Value>, _>>() else { continue };
            check(&mut memory, prim, &args, &mut counts);
        }
    }
    let (calls, back) = counts.values().fold((0, 0), |(c, b), n| (c + n.calls, b + n.handed_back));
    for (name, n) in counts.iter().filter(|(_, n)| n.handed_back > 0) {
        println!("{name}: {} of {} handed back", n.handed_back, n.calls);
    }
    println!("{calls} calls, {back} handed back");
    let known = |name: &str| Alone::of(name).is_some() || Build::of(name).is_some();
    for (name, n) in counts.iter().filter(|(name, _)| known(name)) {
        assert!(n.alone > 0, "{name} is never done alone");
    }
}

fn read(file: &str) -> Vec<(usize, serde_json::Value)> {
    use std::io::BufRead;
    let open = std::fs::File::open(file).unwrap();
    let lines = std::io::BufReader::new(flate2::read::GzDecoder::new(open)).lines();
    lines
        .enumerate()
        .map(|(n, line)| (n + 1, serde_json::from_str(&line.unwrap()).unwrap()))
        .collect()
}
