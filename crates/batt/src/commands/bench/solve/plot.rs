//! Tasks answered against CPU time, as a picture.

use std::fmt::Write as _;

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 44.0;
const COLORS: [&str; 4] = ["#27a", "#a52", "#2a7", "#222"];

/// What some parts do within larger and larger budgets.
pub struct Curve<'a> {
    /// What it is called.
    pub name: &'a str,
    /// CPU-seconds and tasks.
    pub points: Vec<(f64, usize)>,
}

/// The drawing of curves, with a logarithmic scale of time.
pub fn draw(curves: &[Curve], title: &str) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let times = || points().map(|(seconds, _)| seconds.max(1e-3));
    let (from, to) = (times().fold(f64::MAX, f64::min), times().fold(0.0, f64::max));
    // Whole powers of ten are too far apart for such a scale; 1, 2 and 5 of each are enough.
    let marks: Vec<f64> = (-3..7)
        .flat_map(|power| [1.0, 2.0, 5.0].map(|one| one * f64::powi(10.0, power)))
        .filter(|mark| *mark > from / 2.5 && *mark < to * 2.5)
        .collect();
    let (first, last) =
        (marks.first().copied().unwrap_or(1.0), marks.last().copied().unwrap_or(10.0));
    let most = points().map(|(_, tasks)| *tasks).max().unwrap_or(0);
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|step| step * 8 > most);
    let step = step.unwrap_or(1000);
    let top = most.div_ceil(step).max(1) * step;
    let x = |seconds: f64| LEFT + WIDTH * (seconds.max(1e-3) / first).ln() / (last / first).ln();
    let y = |tasks: usize| TOP + HEIGHT * (1.0 - tasks as f64 / top as f64);
    let (below, right) = (TOP + HEIGHT, LEFT + WIDTH);
    let (width, height) = (right + 110.0, below + 44.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"15\">{title}</text>\n"
    );
    for tasks in (0..=top).step_by(step) {
        let (level, text) = (y(tasks), LEFT - 8.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{level:.1}\" x2=\"{right}\" y2=\"{level:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{text}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{tasks}</text>",
            level + 4.0
        );
    }
    for mark in marks {
        let (place, text) = (x(mark), below + 18.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{place:.1}\" y1=\"{TOP}\" x2=\"{place:.1}\" y2=\"{below}\" stroke=\"#eee\"/>\
             <text x=\"{place:.1}\" y=\"{text}\" text-anchor=\"middle\" fill=\"#555\">{mark} s</text>"
        );
    }
    for (curve, color) in curves.iter().zip(COLORS.iter().cycle()) {
        let places: Vec<(f64, f64)> =
            curve.points.iter().map(|(seconds, tasks)| (x(*seconds), y(*tasks))).collect();
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
        for (x, y) in &places {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
        }
        if let (Some((x, y)), Some((_, tasks))) = (places.last(), curve.points.last()) {
            let (x, y, name) = (x + 8.0, y + 4.0, curve.name);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{color}\">{name} {tasks}</text>"
            );
        }
    }
    svg += "</svg>\n";
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_has_its_points_and_its_name() {
        let one = Curve { name: "all", points: vec![(10.0, 20), (100.0, 40)] };
        let other = Curve { name: "cells", points: vec![(20.0, 10)] };
        let svg = draw(&[one, other], "tasks");
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (2, 3));
        assert!(svg.contains(">all 40</text>") && svg.contains(">cells 10</text>"), "{svg}");
        // Forty tasks are the uppermost level.
        assert!(svg.contains(&format!(",{TOP}.0\"")), "{svg}");
    }

    #[test]
    fn a_drawing_of_nothing_is_a_drawing() {
        assert!(draw(&[], "nothing").ends_with("</svg>\n"));
    }
}
