//! A profile as an SVG picture, three rows deep: frames, primitives, slots.

use std::fmt::Write;

use super::{Profile, SlotRow};

const WIDTH: f64 = 1200.0;
const ROW: f64 = 22.0;
/// Narrower boxes are left out: nobody could see them.
const LEAST: f64 = 0.4;

pub fn svg(profile: &Profile) -> String {
    let total = profile.nanos.max(1) as f64;
    let mut picture = Picture { out: String::new(), scale: WIDTH / total };
    let millis = profile.nanos as f64 / 1e6;
    picture.boxed(0, 0.0, total, "battery", &format!("{millis:.3} ms"));
    let mut left = 0.0;
    for frame in ["once", "task", "sample", "element"] {
        let slots: Vec<&SlotRow> = profile.slots.iter().filter(|s| s.frame == frame).collect();
        let time = |slots: &[&SlotRow]| slots.iter().map(|s| s.nanos as f64).sum::<f64>();
        let frame_time = time(&slots);
        picture.boxed(1, left, frame_time, frame, &format!("{} slots", slots.len()));
        let mut from = left;
        for primitive in &profile.primitives {
            let own: Vec<&SlotRow> =
                slots.iter().copied().filter(|s| s.primitive == primitive.name).collect();
            let own_time = time(&own);
            picture.boxed(2, from, own_time, &primitive.name, &format!("{} slots", own.len()));
            let mut at = from;
            for slot in own {
                let detail = format!("{}, {} rows", slot.expression, slot.rows);
                picture.boxed(3, at, slot.nanos as f64, &slot.slot, &detail);
                at += slot.nanos as f64;
            }
            from += own_time;
        }
        left += frame_time;
    }
    let height = ROW * 4.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"monospace\" font-size=\"12\">\n{}</svg>\n",
        picture.out
    )
}

struct Picture {
    out: String,
    scale: f64,
}

impl Picture {
    /// A box with its name, if that fits, and a text that shows when the mouse rests on it.
    fn boxed(&mut self, row: u32, from: f64, time: f64, name: &str, detail: &str) {
        const FILLS: [&str; 4] = ["#d9d9d9", "#f4c27a", "#f09a5a", "#e8735a"];
        let (x, width, y) = (from * self.scale, time * self.scale, f64::from(row) * ROW);
        if width < LEAST {
            return;
        }
        let fill = FILLS[row as usize % FILLS.len()];
        let (name, detail) = (escape(name), escape(detail));
        let share = 100.0 * width / WIDTH;
        let fits = (width / 7.5) as usize > name.chars().count();
        let label = if fits { name.as_str() } else { "" };
        let _ = writeln!(
            self.out,
            "<g><title>{name}: {share:.1} %, {detail}</title><rect x=\"{x:.2}\" y=\"{y}\" \
             width=\"{width:.2}\" height=\"{ROW}\" fill=\"{fill}\" stroke=\"white\" \
             stroke-width=\"0.5\"/><text x=\"{:.2}\" y=\"{}\">{label}</text></g>",
            x + 3.0,
            y + 15.0,
        );
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_add_up_and_names_are_escaped() {
        let slot = |name: &str, nanos| SlotRow {
            slot: name.to_string(),
            expression: "f(<a>)".to_string(),
            primitive: "size".to_string(),
            frame: "sample",
            rows: 1,
            nanos,
            handed_back: 0,
        };
        let primitives = vec![super::super::PrimitiveRow {
            name: "size".to_string(),
            slots: 2,
            rows: 2,
            nanos: 400,
            handed_back: 0,
        }];
        let slots = vec![slot("t1", 300), slot("t2", 100)];
        let picture = svg(&Profile { rows: 2, nanos: 400, primitives, slots });
        assert!(picture.contains("width=\"900.00\"") && picture.contains("width=\"300.00\""));
        assert!(picture.contains("f(&lt;a&gt;)") && !picture.contains("f(<a>)"));
    }
}
