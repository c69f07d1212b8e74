//! Growth as an SVG picture: sizes to the right, times upwards, and the straight line from nothing
//! to the largest, on which every point of a linear cost lies.

use std::fmt::Write;

use super::Growth;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 44.0;
const TOP: f64 = 34.0;
const RIGHT: f64 = 20.0;

/// The picture; `sizes` names what is counted.
pub fn plot(growth: &Growth, title: &str, sizes: &str) -> String {
    let most = |of: fn(&super::Point) -> f64| growth.points.iter().map(of).fold(0.0, f64::max);
    let (most_size, most_seconds) = (most(|p| p.size).max(1e-12), most(|p| p.seconds).max(1e-12));
    let x = |size: f64| LEFT + (WIDTH - LEFT - RIGHT) * size / most_size;
    let y = |seconds: f64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * seconds / most_seconds;
    let (unit, scale) = if most_seconds < 1.0 { ("ms", 1e3) } else { ("s", 1.0) };
    let mut out = String::new();
    for quarter in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let (size, seconds) = (most_size * quarter, most_seconds * quarter);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{1:.1}\" x2=\"{0:.1}\" y2=\"{1:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{4:.3}</text>\
             <text x=\"{5:.1}\" y=\"{6:.1}\" text-anchor=\"middle\">{size:.0}</text>",
            WIDTH - RIGHT,
            y(seconds),
            LEFT - 6.0,
            y(seconds) + 4.0,
            seconds * scale,
            x(size),
            HEIGHT - BOTTOM + 16.0,
        );
    }
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#999\" \
         stroke-dasharray=\"4 4\"/>",
        x(0.0),
        y(0.0),
        x(most_size),
        y(most_seconds)
    );
    for point in &growth.points {
        let _ = writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#c4511e\"/>",
            x(point.size),
            y(point.seconds)
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"13\">{title} (grows with power {:.2})</text>\n\
         {out}<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{sizes}</text>\n\
         <text x=\"10\" y=\"20\">{unit}</text>\n</svg>\n",
        growth.exponent,
        LEFT + (WIDTH - LEFT - RIGHT) / 2.0,
        HEIGHT - 8.0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::scaling::Point;

    #[test]
    fn a_linear_cost_lies_on_the_line() {
        let point = |size, seconds| Point { parts: 1, size, seconds, rows: 0.0 };
        let points = vec![point(50.0, 1.0), point(100.0, 2.0)];
        let picture = plot(&Growth { points, exponent: 1.0 }, "Time", "samples");
        // Half way between the corners, and at the far one.
        assert!(picture.contains("cx=\"262.0\" cy=\"145.0\""), "{picture}");
        assert!(picture.contains("cx=\"460.0\" cy=\"34.0\""), "{picture}");
        assert!(picture.contains(">samples<") && picture.contains("power 1.00"));
    }
}
