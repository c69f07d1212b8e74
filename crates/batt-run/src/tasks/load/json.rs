//! JSON as a tree that keeps repeated keys, so that repeated ids can be seen.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::tasks::DataError;
use crate::tasks::error::short;

/// The largest file that is read; the largest public one has 4 MB.
const LARGEST: u64 = 256 << 20;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    /// What it is, in a few words.
    pub(super) fn describe(&self) -> String {
        match self {
            Node::Null => "null".into(),
            Node::Bool(b) => b.to_string(),
            Node::Int(n) => n.to_string(),
            Node::Float(x) => format!("{x:?}"),
            Node::Text(s) => format!("the text {:?}", short(s)),
            Node::List(_) => "a list".into(),
            Node::Map(_) => "an object".into(),
        }
    }

    /// The value of a key, if this is an object that has it.
    pub(super) fn key(&self, key: &str) -> Option<&Node> {
        match self {
            Node::Map(pairs) => pairs.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }
}

/// Reads a file as JSON.
pub(super) fn read(path: &Path) -> Result<Node, DataError> {
    let io = |e| DataError::io(path, e);
    let mut bytes = Vec::new();
    File::open(path).map_err(io)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > LARGEST {
        return Err(DataError::TooLarge { path: path.to_owned(), limit: LARGEST });
    }
    parse(&bytes, path)
}

/// Parses the bytes of a file; the path is for errors.
pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Node, DataError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(DataError::Empty(path.to_owned()));
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.contains(&0) => text,
        _ => return Err(DataError::Binary(path.to_owned())),
    };
    serde_json::from_str(text).map_err(|e| {
        let full = e.to_string();
        // The place is told once, in front.
        let message = full.rsplit_once(" at line ").map_or(full.as_str(), |(m, _)| m);
        let message = match (e.is_eof(), message) {
            (true, _) => "the text ends in the middle of a value".to_owned(),
            (_, "recursion limit exceeded") => "values are nested more than 128 deep".to_owned(),
            (_, message) => message.to_owned(),
        };
        DataError::Json {
            path: path.to_owned(),
            line: e.line(),
            column: e.column(),
            message,
            truncated: e.is_eof(),
        }
    })
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, b: bool) -> Result<Node, E> {
        Ok(Node::Bool(b))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Node, E> {
        Ok(Node::Int(n))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Node, E> {
        // No colour is that large, so which large number it is does not matter.
        Ok(Node::Int(i64::try_from(n).unwrap_or(i64::MAX)))
    }

    fn visit_f64<E>(self, x: f64) -> Result<Node, E> {
        Ok(Node::Float(x))
    }

    fn visit_str<E>(self, s: &str) -> Result<Node, E> {
        Ok(Node::Text(s.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Node::Map(pairs))
    }
}
