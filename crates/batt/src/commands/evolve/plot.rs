//! A drawing of how a run went.

use std::fmt::Write as _;

use super::history::{History, Point};
use super::report::Report;

const WIDTH: f64 = 760.0;
const PANEL: f64 = 150.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;
const GAP: f64 = 56.0;

/// A curve over time.
struct Panel<'a> {
    title: &'a str,
    value: fn(&Point) -> f64,
    color: &'a str,
    /// Where the scale ends; the largest value if there is no such end.
    top: Option<f64>,
}

/// The drawing of a run.
pub fn of(history: &History, report: &Report) -> String {
    draw(history.points(), &report.title(), report.tasks())
}

fn draw(points: &[Point], title: &str, tasks: usize) -> String {
    let panels = [
        Panel {
            title: "tasks solved (demos)",
            value: |p| p.solved as f64,
            color: "#2a7",
            top: Some(tasks as f64),
        },
        Panel {
            title: "mean quality of the best programs",
            value: |p| p.quality,
            color: "#27a",
            top: Some(1.0),
        },
        Panel {
            title: "candidates (millions)",
            value: |p| p.candidates as f64 / 1e6,
            color: "#a52",
            top: None,
        },
    ];
    let height = TOP + panels.len() as f64 * (PANEL + GAP);
    let full = WIDTH + LEFT + 30.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"15\">{title}</text>\n"
    );
    let end = points.last().map_or(1.0, |p| p.seconds).max(1e-9);
    for (at, panel) in panels.iter().enumerate() {
        let y = TOP + at as f64 * (PANEL + GAP);
        curve(&mut svg, points, panel, y, end);
    }
    svg += "</svg>\n";
    svg
}

fn curve(svg: &mut String, points: &[Point], panel: &Panel, y: f64, end: f64) {
    let largest = points.iter().map(panel.value).fold(0.0, f64::max);
    let top = panel.top.unwrap_or(largest).max(1e-9);
    let below = y + PANEL;
    let _ = write!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{PANEL}\" fill=\"none\" \
         stroke=\"#bbb\"/>\n<text x=\"{LEFT}\" y=\"{}\">{}</text>\n",
        y - 6.0,
        panel.title
    );
    for share in [0.0, 0.5, 1.0] {
        let (x, level) = (LEFT + WIDTH * share, below - PANEL * share);
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555\">{}</text>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{}</text>\n",
            LEFT - 8.0,
            level + 4.0,
            number(top * share),
            below + 16.0,
            time(end * share),
        );
    }
    let path: Vec<String> = points
        .iter()
        .map(|point| {
            let x = LEFT + WIDTH * point.seconds / end;
            let level = below - PANEL * ((panel.value)(point) / top).min(1.0);
            format!("{x:.1},{level:.1}")
        })
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>",
        path.join(" "),
        panel.color
    );
}

fn number(n: f64) -> String {
    if n == 0.0 || n >= 100.0 { format!("{n:.0}") } else { format!("{n:.2}") }
}

fn time(seconds: f64) -> String {
    if seconds < 180.0 {
        format!("{seconds:.1} s")
    } else if seconds < 3.0 * 3600.0 {
        format!("{:.1} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_has_a_curve_for_every_panel() {
        let point = |n: u32| Point {
            seconds: f64::from(n),
            solved: n as usize,
            quality: f64::from(n) / 10.0,
            candidates: u64::from(n) * 1000,
        };
        let points: Vec<Point> = (0..10).map(point).collect();
        let svg = draw(&points, "a run", 9);
        assert_eq!(svg.matches("<polyline").count(), 3);
        // The last point of the first curve is at the upper right corner.
        assert!(svg.contains("830.0,50.0\""), "{svg}");
        assert!(draw(&[], "an empty run", 3).contains("<polyline points=\"\""));
    }
}
