//! Values as JSON.
//!
//! Ints, bools and null are themselves; `{"t": [...]}` is a tuple and `{"f": [...]}` a set. A
//! function is `{"fn": "size"}` or `{"p": "size"}` (a primitive), `{"call": "compose", "args":
//! [...]}` or `{"c": ["compose", ...]}` (what that primitive returns for those arguments).

use batt_lang::value::Function;
use batt_lang::{Fault, Prim, Value};
use serde_json::{Map, Value as Json, json};

use super::Subject;

/// Why JSON gives no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is no value in this notation.
    Malformed(String),
    /// A function could not be built, which counts as the record's result.
    Fault(Fault),
}

/// Reads a value; `subject` builds the functions in it.
pub fn decode(json: &Json, subject: &dyn Subject) -> Result<Value, Unreadable> {
    match json {
        Json::Null => Ok(Value::Null),
        Json::Bool(b) => Ok(Value::Bool(*b)),
        Json::Number(n) => {
            let int = n.as_i64().and_then(|n| i32::try_from(n).ok());
            int.map(Value::Int).ok_or_else(|| malformed(json, "not an int of 32 bits"))
        }
        Json::Object(fields) => decode_object(json, fields, subject),
        _ => Err(malformed(json, "not a value")),
    }
}

fn decode_object(
    json: &Json,
    fields: &Map<String, Json>,
    subject: &dyn Subject,
) -> Result<Value, Unreadable> {
    let entries: Vec<(&str, &Json)> = fields.iter().map(|(k, v)| (k.as_str(), v)).collect();
    match entries.as_slice() {
        [("t", Json::Array(items))] => Ok(Value::tuple(decode_all(items, subject)?)),
        [("f", Json::Array(items))] => Ok(Value::set(decode_all(items, subject)?)),
        [("fn" | "p", name)] => Ok(Value::function(Function::Prim(primitive(name)?))),
        [("c", Json::Array(parts))] => match parts.as_slice() {
            [name, args @ ..] => build(name, args, subject),
            [] => Err(malformed(json, "not a function")),
        },
        [("args", Json::Array(args)), ("call", name)]
        | [("call", name), ("args", Json::Array(args))] => build(name, args, subject),
        _ => Err(malformed(json, "not a value")),
    }
}

fn build(name: &Json, args: &[Json], subject: &dyn Subject) -> Result<Value, Unreadable> {
    let args = decode_all(args, subject)?;
    subject.primitive(primitive(name)?, &args).map_err(Unreadable::Fault)
}

/// Reads a value that may also be a grid in plain rows, as program records have them.
pub fn decode_rows(json: &Json, subject: &dyn Subject) -> Result<Value, Unreadable> {
    let Json::Array(rows) = json else { return decode(json, subject) };
    let row = |row: &Json| match row {
        Json::Array(cells) => Ok(Value::tuple(decode_all(cells, subject)?)),
        _ => Err(malformed(json, "not rows of a grid")),
    };
    Ok(Value::tuple(rows.iter().map(row).collect::<Result<_, _>>()?))
}

/// Reads several values.
pub fn decode_all(items: &[Json], subject: &dyn Subject) -> Result<Vec<Value>, Unreadable> {
    items.iter().map(|item| decode(item, subject)).collect()
}

/// The primitive that a string names.
pub fn primitive(name: &Json) -> Result<Prim, Unreadable> {
    name.as_str().and_then(Prim::named).ok_or_else(|| malformed(name, "not a primitive"))
}

fn malformed(json: &Json, what: &str) -> Unreadable {
    let text = json.to_string();
    let short: String = text.chars().take(60).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    Unreadable::Malformed(format!("{what}: {short}{dots}"))
}

/// Writes a value.
pub fn encode(value: &Value) -> Json {
    let all = |items: &[Value]| items.iter().map(encode).collect::<Vec<Json>>();
    match value {
        Value::Null => Json::Null,
        Value::Bool(b) => json!(b),
        Value::Int(n) => json!(n),
        Value::Pair(i, j) => json!({"t": [i, j]}),
        Value::Cell(c, i, j) => json!({"t": [c, {"t": [i, j]}]}),
        Value::Tuple(items) => json!({"t": all(items)}),
        Value::Set(items) => json!({"f": all(items)}),
        Value::Function(f) => match &**f {
            Function::Prim(prim) => json!({"fn": prim.to_string()}),
            Function::Made { maker, args, .. } => {
                json!({"call": maker.info().name, "args": all(args)})
            }
            Function::Nothing => json!({"fn": "nothing"}),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::Reference;

    fn read(text: &str) -> Result<Value, Unreadable> {
        decode(&serde_json::from_str(text).unwrap(), &Reference)
    }

    #[test]
    fn values_are_written_as_they_are_read() {
        for text in [
            "null",
            "true",
            "-3",
            r#"{"t":[1,2]}"#,
            r#"{"t":[1,{"t":[2,3]}]}"#,
            r#"{"f":[{"t":[]},{"f":[]}]}"#,
            r#"{"args":[{"fn":"size"},{"fn":"first_t"}],"call":"compose"}"#,
        ] {
            assert_eq!(encode(&read(text).unwrap()).to_string(), text);
        }
    }

    #[test]
    fn both_notations_of_functions_agree() {
        assert_eq!(read(r#"{"p":"size"}"#), read(r#"{"fn":"size"}"#));
        assert_eq!(
            read(r#"{"c":["rbind",{"p":"add"},1]}"#),
            read(r#"{"call":"rbind","args":[{"fn":"add"},1]}"#)
        );
    }

    #[test]
    fn what_cannot_be_read_is_told_from_what_cannot_be_built() {
        assert!(matches!(read("3000000000"), Err(Unreadable::Malformed(_))));
        assert!(matches!(read(r#"{"x":1}"#), Err(Unreadable::Malformed(_))));
        assert!(matches!(read(r#"{"fn":"fist"}"#), Err(Unreadable::Malformed(_))));
        assert!(matches!(read(r#"{"c":["rbind",1,1]}"#), Err(Unreadable::Fault(_))));
    }
}
