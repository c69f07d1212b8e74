//! Reading PTX.

mod body;
mod words;

use std::collections::HashMap;

use crate::meet::meeting_places;
use crate::module::{Function, Module};
use crate::operation::{Call, Instr, Source};
use crate::{Error, Memory};
use body::{Body, Pending};

/// Stands for a parameter that is not given: nobody may depend on it.
const NOTHING: u64 = 0xdead_dead_dead_dead;

/// What stands outside of functions, with the line where it begins.
enum Item<'a> {
    Header(&'a str),
    Body(&'a str),
}

/// Reads a whole program.
pub fn module(ptx: &str, memory: &mut Memory) -> Result<Module, Error> {
    let text = without_comments(ptx);
    let mut globals = HashMap::new();
    let mut bodies: Vec<(Function, Vec<Pending>)> = Vec::new();
    let mut header = None;
    for (line, item) in items(&text) {
        match item {
            Item::Header(words) if is_table(words) => {
                table(words, memory, &mut globals).map_err(|e| at_line(&e, line))?;
            }
            Item::Header(words) => header = Some(words),
            Item::Body(inside) => {
                let Some(header) = header.take().filter(|h| is_function(h)) else {
                    return Err(Error::new(format!("line {line}: what is this a body of?")));
                };
                bodies.push(Body::read(header, inside, line, &globals)?);
            }
        }
    }
    link(bodies)
}

/// Finds the functions that are called, and which of their parameters are given.
fn link(bodies: Vec<(Function, Vec<Pending>)>) -> Result<Module, Error> {
    let names: HashMap<String, usize> =
        bodies.iter().enumerate().map(|(at, (f, _))| (f.name.clone(), at)).collect();
    let layouts: Vec<_> =
        bodies.iter().map(|(f, _)| (f.reads.clone(), f.returns.clone())).collect();
    let mut functions = Vec::with_capacity(bodies.len());
    for (mut function, calls) in bodies {
        for call in calls {
            let Some(&callee) = names.get(&call.name) else {
                let Function { name, .. } = &function;
                return Err(Error::new(format!("{name} calls {}, which is not here", call.name)));
            };
            let (reads, returns) = &layouts[callee];
            // What is not given means nothing to the callee.
            let given = reads.iter().map(|part| {
                let mut all = call.given.iter();
                let found = all.find_map(|(given, source)| Some((*source, part.within(*given)?)));
                found.unwrap_or((Source::Number(NOTHING), 0))
            });
            let given = given.collect();
            let taken = call.taken.iter().map(|(part, to, ty)| {
                let mut all = returns.iter().enumerate();
                let found = all.find_map(|(at, returned)| Some((at, part.within(*returned)?)));
                let (place, shift) = found?;
                Some((place, shift, *to, *ty))
            });
            let taken = taken.collect::<Option<_>>().ok_or_else(|| {
                Error::new(format!("{} does not return what is taken of it", call.name))
            })?;
            function.code[call.at] = Instr::Call(Box::new(Call { function: callee, given, taken }));
        }
        function.meets = meeting_places(&function.code);
        functions.push(function);
    }
    Ok(Module { functions, names })
}

fn at_line(error: &Error, line: usize) -> Error {
    Error::new(format!("line {line}: {error}"))
}

fn is_table(header: &str) -> bool {
    header.starts_with(".global") || header.starts_with(".shared")
}

fn is_function(header: &str) -> bool {
    header.contains(".entry") || header.contains(".func")
}

/// The text with comments as spaces, so that lines keep their numbers.
fn without_comments(ptx: &str) -> String {
    let mut text = String::with_capacity(ptx.len());
    for line in ptx.lines() {
        text.push_str(line.split("//").next().unwrap_or(""));
        text.push('\n');
    }
    text
}

/// Cuts a program into statements and the bodies of functions.
fn items(text: &str) -> Vec<(usize, Item<'_>)> {
    let mut items = Vec::new();
    let (mut line, mut start, mut depth, mut first) = (1, 0, 0, 1);
    let mut is_list = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' => {
                line += 1;
                let words = text[start..at].trim();
                // Directives that stand on a line of their own.
                let alone = [".version", ".target", ".address_size"];
                if depth == 0 && (words.is_empty() || alone.iter().any(|a| words.starts_with(a))) {
                    (start, first) = (at + 1, line);
                }
            }
            '=' if depth == 0 => is_list = true,
            ';' if depth == 0 => {
                let words = text[start..at].trim();
                if !is_function(words) {
                    items.push((first, Item::Header(words)));
                }
                (start, first, is_list) = (at + 1, line, false);
            }
            '{' if !is_list => {
                if depth == 0 {
                    items.push((first, Item::Header(text[start..at].trim())));
                    (start, first) = (at + 1, line);
                }
                depth += 1;
            }
            '}' if !is_list => {
                depth -= 1;
                if depth == 0 {
                    items.push((first, Item::Body(&text[start..at])));
                    (start, first) = (at + 1, line);
                }
            }
            _ => {}
        }
    }
    items
}

/// Allocates what a program keeps in global memory: `.global .align 4 .b8 name[8] = {1, 2}`, or in the
/// memory of a block. Warps run one after the other, so that blocks may share it.
fn table(
    words: &str,
    memory: &mut Memory,
    globals: &mut HashMap<String, u64>,
) -> Result<(), Error> {
    let wrong = || Error::new(format!("cannot read {words}"));
    let (declared, values) = words.split_once('=').unwrap_or((words, ""));
    let (before, size) = declared.split_once('[').ok_or_else(wrong)?;
    let size: usize = size.trim().trim_end_matches(']').parse().map_err(|_| wrong())?;
    let name = before.split_whitespace().last().ok_or_else(wrong)?;
    if !before.contains(".b8") {
        return Err(Error::new(format!("only bytes can be read, not {words}")));
    }
    let list = values.trim().trim_start_matches('{').trim_end_matches('}');
    let bytes: Vec<u8> = list
        .split(',')
        .map(str::trim)
        .filter(|b| !b.is_empty())
        .map(|b| b.parse().map_err(|_| wrong()))
        .collect::<Result<_, _>>()?;
    let shared = words.starts_with(".shared");
    let at = if shared { memory.alloc_shared(size) } else { memory.alloc(size) };
    memory.write(at, &bytes)?;
    globals.insert(name.to_string(), at);
    Ok(())
}
