//! A battery as a picture in SVG: slots in layers from left to right, arguments before users.

use std::collections::HashMap;
use std::fmt::Write;

use super::Battery;
use crate::graph::{Def, Root, SlotId};

/// Sizes in pixels.
const CHAR: f64 = 6.7;
const LINE: f64 = 26.0;
const BOX: f64 = 20.0;
const GAP: f64 = 56.0;
const EDGE: f64 = 16.0;
const HEAD: f64 = 30.0;
/// Longer expressions are cut.
const LONGEST: usize = 44;

/// A box of the picture.
struct Node {
    label: String,
    color: &'static str,
    round: bool,
    layer: usize,
    from: Vec<usize>,
    x: f64,
    y: f64,
    width: f64,
}

impl Battery {
    /// The battery's graph as SVG, coloured by how often a slot is computed.
    pub fn to_svg(&self) -> String {
        let mut nodes = self.boxes();
        let (width, height) = place(&mut nodes);
        draw(&nodes, width.max(560.0), height)
    }

    fn boxes(&self) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut places: HashMap<SlotId, usize> = HashMap::new();
        for (id, slot) in self.live() {
            if matches!(slot.def, Def::Value(_)) {
                continue;
            }
            let mut from = Vec::new();
            slot.def.for_each_arg(&self.frames, |arg| from.extend(places.get(&arg)));
            from.sort_unstable();
            from.dedup();
            let frame = self.frames.get(slot.frame);
            let color = match frame.root {
                Root::Constant => "#e8e8e8",
                Root::Task => "#cfe8ff",
                Root::Sample if frame.depth > 0 => "#ffe9c9",
                Root::Sample => "#d9f2d9",
            };
            let label = match slot.def {
                Def::Input(_) | Def::Element { .. } => self.name(id),
                _ => format!("{} = {}", self.name(id), self.expression(id)),
            };
            places.insert(id, nodes.len());
            nodes.push(node(label, color, false, from, &nodes));
        }
        for program in &self.programs {
            let from = places.get(&program.output).copied().into_iter().collect();
            nodes.push(node(program.name.clone(), "#ffffff", true, from, &nodes));
        }
        for score in &self.scores {
            let of = score.program.map_or("I", |p| self.programs[p.index()].name.as_str());
            let from = places.get(&score.value).copied().into_iter().collect();
            nodes.push(node(format!("{} of {of}", score.differ), "#f3e3ff", true, from, &nodes));
        }
        nodes
    }
}

fn node(label: String, color: &'static str, round: bool, from: Vec<usize>, all: &[Node]) -> Node {
    let label = if label.chars().count() > LONGEST {
        label.chars().take(LONGEST - 1).chain(['…']).collect()
    } else {
        label
    };
    let layer = from.iter().map(|f| all[*f].layer + 1).max().unwrap_or(0);
    let width = float(label.chars().count()) * CHAR + 14.0;
    Node { label, color, round, layer, from, x: 0.0, y: 0.0, width }
}

/// Puts every box in its layer, near the middle of what it reads; gives the size of the picture.
fn place(nodes: &mut [Node]) -> (f64, f64) {
    let count = nodes.iter().map(|n| n.layer + 1).max().unwrap_or(0);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, node) in nodes.iter().enumerate() {
        layers[node.layer].push(at);
    }
    let (mut x, mut bottom) = (EDGE, 0.0_f64);
    for layer in &mut layers {
        let wish = |at: usize| {
            let from = &nodes[at].from;
            let sum: f64 = from.iter().map(|f| nodes[*f].y).sum();
            if from.is_empty() { float(at) * LINE } else { sum / float(from.len()) }
        };
        layer.sort_by(|a, b| wish(*a).total_cmp(&wish(*b)).then(a.cmp(b)));
        let wishes: Vec<f64> = layer.iter().map(|at| wish(*at)).collect();
        let (mut y, mut widest) = (HEAD, 0.0_f64);
        for (at, wish) in layer.iter().zip(wishes) {
            // A box without arguments goes as high as it can.
            y = if nodes[*at].from.is_empty() { y } else { y.max(wish) };
            (nodes[*at].x, nodes[*at].y) = (x, y);
            y += LINE;
            bottom = bottom.max(y);
            widest = widest.max(nodes[*at].width);
        }
        x += widest + GAP;
    }
    (x - GAP + EDGE, bottom + EDGE)
}

fn draw(nodes: &[Node], width: f64, height: f64) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"monospace\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let legend = [
        ("#e8e8e8", "once"),
        ("#cfe8ff", "per task"),
        ("#d9f2d9", "per sample"),
        ("#ffe9c9", "per item of a loop"),
    ];
    let mut x = EDGE;
    for (color, text) in legend {
        let _ = writeln!(
            out,
            "<rect x=\"{x:.0}\" y=\"8\" width=\"12\" height=\"12\" fill=\"{color}\" \
             stroke=\"#999999\"/><text x=\"{:.0}\" y=\"18\">{text}</text>",
            x + 17.0
        );
        x += 40.0 + CHAR * float(text.len());
    }
    out.push_str("<g fill=\"none\" stroke=\"#8899aa\" stroke-width=\"0.8\">\n");
    for node in nodes {
        for from in node.from.iter().map(|f| &nodes[*f]) {
            let (x1, y1) = (from.x + from.width, from.y + BOX / 2.0);
            let (x2, y2) = (node.x, node.y + BOX / 2.0);
            let bend = ((x2 - x1) / 2.0).min(GAP);
            let _ = writeln!(
                out,
                "<path d=\"M{x1:.0} {y1:.0}C{:.0} {y1:.0} {:.0} {y2:.0} {x2:.0} {y2:.0}\"/>",
                x1 + bend,
                x2 - bend
            );
        }
    }
    out.push_str("</g>\n");
    for node in nodes {
        let radius = if node.round { BOX / 2.0 } else { 3.0 };
        let _ = writeln!(
            out,
            "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{BOX:.0}\" rx=\"{radius:.0}\" \
             fill=\"{}\" stroke=\"#667788\"/><text x=\"{:.0}\" y=\"{:.0}\">{}</text>",
            node.x,
            node.y,
            node.width,
            node.color,
            node.x + 7.0,
            node.y + 14.0,
            escape(&node.label)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// Counts of boxes and letters are small.
fn float(n: usize) -> f64 {
    f64::from(n as u32)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use crate::card::{Card, Options};
    use crate::program::Definition;
    use crate::text::parse;

    #[test]
    fn arguments_stand_left_of_their_users_and_boxes_do_not_overlap() {
        let text = "
def solve_a(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = argmin(x1, size)
    x4 = paint(I, x2)
    O = paint(x4, x3)
    return O
";
        let mut card = Card::new(Options::default());
        for definition in parse(text).definitions {
            if let Definition::Program(program) = definition {
                card.add(&program);
            }
        }
        let mut nodes = card.deal().boxes();
        super::place(&mut nodes);
        for (at, node) in nodes.iter().enumerate() {
            for from in node.from.iter().map(|f| &nodes[*f]) {
                assert!(from.x + from.width < node.x, "{} -> {}", from.label, node.label);
            }
            for other in &nodes[..at] {
                let (x, y) = ((other.x - node.x).abs(), (other.y - node.y).abs());
                assert!(x > 1.0 || y >= super::BOX);
            }
        }
        assert!(super::escape("a<b>&").ends_with("&lt;b&gt;&amp;"));
    }
}
