//! A battery as a picture: Graphviz text.

use std::fmt::Write;

use super::Battery;
use crate::graph::{Def, Root};

impl Battery {
    /// The battery's graph in Graphviz's language: one node per slot, coloured by how often it is
    /// computed.
    pub fn to_dot(&self) -> String {
        let mut out = String::from(
            "digraph battery {\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=monospace];\n",
        );
        for (id, slot) in self.live() {
            if matches!(slot.def, Def::Value(_)) {
                continue;
            }
            let color = match self.frames.get(slot.frame).root {
                Root::Constant => "#eeeeee",
                Root::Task => "#cfe8ff",
                Root::Sample if self.frames.get(slot.frame).depth > 0 => "#ffe9c9",
                Root::Sample => "#d9f2d9",
            };
            let label = format!("{} = {}", self.name(id), self.expression(id))
                .replace('\\', "\\\\")
                .replace('"', "\\\"");
            let _ = writeln!(out, "  n{} [label=\"{label}\", fillcolor=\"{color}\"];", id.0);
            slot.def.for_each_arg(&self.frames, |arg| {
                if !matches!(self.def(arg), Def::Value(_)) {
                    let _ = writeln!(out, "  n{} -> n{};", arg.0, id.0);
                }
            });
        }
        for (at, program) in self.programs.iter().enumerate() {
            let _ = writeln!(
                out,
                "  o{at} [label=\"{}\", shape=oval];\n  n{} -> o{at};",
                program.name, program.output.0
            );
        }
        out.push_str("}\n");
        out
    }
}
