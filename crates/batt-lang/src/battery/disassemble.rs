//! A battery as text that people can read.

use std::fmt::Write;

use super::{Battery, Instr, Pass};
use crate::constants::{self, ConstKind};
use crate::graph::{Def, FrameId, FrameKind, Root, SlotId};
use crate::ops::Kind;
use crate::value::Value;

impl Battery {
    /// The instructions of both passes, one line each, with the frames they run in.
    pub fn disassemble(&self) -> String {
        let mut out = String::new();
        self.write_pass(&mut out, "outputs", &self.outputs);
        for p in &self.programs {
            let task = p.task.as_deref().unwrap_or("-");
            let _ = writeln!(out, "  o {} {task} = {}", p.name, self.name(p.output));
        }
        if !self.scores.is_empty() {
            self.write_pass(&mut out, "scores", &self.scoring);
            for s in &self.scores {
                let of = s.program.map_or("-", |p| self.programs[p.index()].name.as_str());
                let _ = writeln!(out, "  s {of} {} = {}", s.differ, self.name(s.value));
            }
        }
        out
    }

    fn write_pass(&self, out: &mut String, title: &str, pass: &Pass) {
        let _ = writeln!(out, "{title}:");
        for (root, name) in
            [(Root::Constant, "once"), (Root::Task, "per task"), (Root::Sample, "per sample")]
        {
            if !pass.instrs(root).is_empty() {
                let _ = writeln!(out, "  {name}:");
                self.write_instrs(out, pass.instrs(root), 4);
            }
        }
    }

    fn write_instrs(&self, out: &mut String, instrs: &[Instr], indent: usize) {
        for instr in instrs {
            match instr {
                Instr::Open(frame) => {
                    let depth = self.frames.get(self.frames.get(*frame).parent).depth as usize;
                    let pad = indent + 2 * depth;
                    let _ = writeln!(
                        out,
                        "{:pad$}open {} over {}",
                        "",
                        frame_name(*frame),
                        self.over(*frame)
                    );
                }
                Instr::Eval(slot) => self.write_slot(out, *slot, indent),
                Instr::Repeat(slot, block) => {
                    self.write_slot(out, *slot, indent);
                    self.write_instrs(out, block, indent);
                }
                Instr::Drop(_) => {}
            }
        }
    }

    fn write_slot(&self, out: &mut String, slot: SlotId, indent: usize) {
        let pad = indent + 2 * self.frames.get(self.slot(slot).frame).depth as usize;
        let _ = writeln!(out, "{:pad$}{} = {}", "", self.name(slot), self.expression(slot));
    }

    fn over(&self, frame: FrameId) -> String {
        let join = |slots: &[SlotId], with: &str| {
            slots.iter().map(|s| self.name(*s)).collect::<Vec<_>>().join(with)
        };
        let frame = self.frames.get(frame);
        if let Some(base) = frame.base.filter(|_| frame.part) {
            return format!("{} of {}", join(frame.kind.containers(), ""), frame_name(base));
        }
        if let Some(base) = frame.base {
            return format!("{} again", frame_name(base));
        }
        match &frame.kind {
            FrameKind::Each(c) => join(c, ""),
            FrameKind::Zip(c) => join(c, " beside "),
            FrameKind::Product(c) => join(c, " times "),
            _ => "its own result".to_string(),
        }
    }

    /// A slot as others write it: an input, a short constant, an element, or its number.
    pub fn name(&self, id: SlotId) -> String {
        match self.def(id) {
            Def::Input(input) => input.name().to_string(),
            Def::Value(value) => {
                let text = value.to_string();
                if text.len() > 40 { format!("k{}", id.0) } else { text }
            }
            Def::Element { frame, which } => {
                format!(
                    "{}{}",
                    frame_name(*frame).replace('f', "e"),
                    if *which == 0 { "" } else { "b" }
                )
            }
            _ => format!("t{}", id.0),
        }
    }

    /// As [`Battery::expression`], with constants as people write them: `objects(I, T, F, T)`.
    pub fn written(&self, id: SlotId) -> String {
        let Def::Call { prim, args } = self.def(id) else { return self.expression(id) };
        let args = args.iter().zip(&prim.info().params).map(|(arg, param)| match self.def(*arg) {
            Def::Value(value) => {
                constant_name(value, &param.kind).unwrap_or_else(|| self.name(*arg))
            }
            _ => self.name(*arg),
        });
        format!("{prim}({})", args.collect::<Vec<_>>().join(", "))
    }

    /// What a slot computes, in one line.
    pub fn expression(&self, id: SlotId) -> String {
        let list =
            |slots: &[SlotId]| slots.iter().map(|s| self.name(*s)).collect::<Vec<_>>().join(", ");
        match self.def(id) {
            Def::Input(_) | Def::Value(_) | Def::Element { .. } => self.name(id),
            Def::Call { prim, args } => format!("{prim}({})", list(args)),
            Def::Invoke { function, args } => {
                format!("invoke {}({})", self.name(*function), list(args))
            }
            Def::Collect { set, items, .. } => {
                let (open, close) = if *set { ('{', '}') } else { ('(', ')') };
                format!("{open}{}{close}", list(items))
            }
            Def::Select { condition, then, other, .. } => {
                format!(
                    "{} if {} else {}",
                    self.name(*then),
                    self.name(*condition),
                    self.name(*other)
                )
            }
            Def::Close { prim, container, extra, run } => {
                let extra = extra.map_or(String::new(), |e| format!(", {}", self.name(e)));
                let frame = frame_name(run.frame);
                format!(
                    "{prim} {} by {} of {frame}{extra}",
                    self.name(*container),
                    self.name(run.body)
                )
            }
            Def::Repeat { start, times, run } => {
                let frame = frame_name(run.frame).replace('f', "e");
                format!(
                    "{} {} times {frame} := {}",
                    self.name(*start),
                    self.name(*times),
                    self.name(run.body)
                )
            }
            Def::OrElse { value, default } => format!("{} or {default}", self.name(*value)),
            Def::Fail(fault) => format!("error {}", fault.0),
        }
    }
}

fn frame_name(id: FrameId) -> String {
    format!("f{}", id.0)
}

/// The constant of a parameter's kind with a value.
fn constant_name(value: &Value, kind: &Kind) -> Option<String> {
    let wanted = match kind {
        Kind::Bool => ConstKind::Bool,
        Kind::IJ => ConstKind::Pair,
        _ => ConstKind::Int,
    };
    let mut all = constants::all().map(|(_, constant)| constant);
    all.find(|c| c.kind == wanted && c.value == *value).map(|c| c.name.clone())
}
