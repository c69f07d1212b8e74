//! Cutting PTX into what stands in it, as rustc lays it out.

use std::collections::HashMap;

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Can be launched.
    Kernel,
    /// A function or a table, whole.
    Other,
    /// Says that a function comes later.
    Announced,
}

/// A kernel, a function, a table.
pub struct Item<'a> {
    /// The whole of it, line ends included.
    pub text: &'a str,
    pub kind: Kind,
    /// The items that it cannot be without.
    pub needs: Vec<usize>,
}

/// What stands before everything else, and the items in order.
pub fn items(ptx: &str) -> (String, Vec<Item<'_>>) {
    let (header, texts) = cut(ptx);
    let mut items: Vec<Item<'_>> = texts
        .into_iter()
        .map(|(text, whole)| {
            let kind = match whole {
                false => Kind::Announced,
                true if head(text).contains(".entry") => Kind::Kernel,
                true => Kind::Other,
            };
            Item { text, kind, needs: Vec::new() }
        })
        .collect();
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, item) in items.iter().enumerate() {
        if item.kind != Kind::Kernel {
            places.entry(name(item.text)).or_default().push(at);
        }
    }
    for (at, item) in items.iter_mut().enumerate() {
        let named = words(item.text).filter_map(|word| places.get(word)).flatten();
        item.needs.extend(named.filter(|place| **place != at));
        item.needs.sort_unstable();
        item.needs.dedup();
    }
    (header, items)
}

/// The header, and every item's text with whether it is whole: what is announced comes again later.
fn cut(ptx: &str) -> (String, Vec<(&str, bool)>) {
    let (mut header, mut texts) = (String::new(), Vec::new());
    let (mut start, mut at, mut in_body) = (0, 0, false);
    for line in ptx.split_inclusive('\n') {
        let words = line.trim_end();
        let is_empty = at == start;
        at += line.len();
        let ends = if in_body { words == "}" } else { words.ends_with(';') };
        if is_empty && !words.starts_with('.') {
            start = at;
        } else if is_empty && is_setting(words) {
            header.push_str(line);
            start = at;
        } else if ends {
            let text = &ptx[start..at];
            texts.push((text, in_body || is_table(text)));
            (start, in_body) = (at, false);
        } else if words == "{" {
            in_body = true;
        }
    }
    (header, texts)
}

fn is_table(text: &str) -> bool {
    [".global", ".shared"].iter().any(|space| text.starts_with(space))
}

fn is_setting(line: &str) -> bool {
    [".version", ".target", ".address_size"].iter().any(|name| line.starts_with(name))
}

/// Up to the body or the values of an item.
fn head(text: &str) -> &str {
    text.split(['{', ';']).next().unwrap_or_default()
}

/// The name of a function or of a table.
fn name(text: &str) -> &str {
    let head = head(text);
    let Some((_, after)) = head.split_once(".func") else {
        let before = head.split('[').next().unwrap_or_default();
        return words(before).last().unwrap_or_default();
    };
    // What it returns comes first.
    let after = after.trim_start();
    let after =
        if after.starts_with('(') { after.split_once(')').map_or("", |(_, a)| a) } else { after };
    words(after).next().unwrap_or_default()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$')
        .filter(|word| !word.is_empty())
}
