//! Lines: planes of what starts in a direction, one for each direction and for several at once.

use super::Entry;

const LINES: &str = include_str!("../../library/lines.txt");

/// A direction: its step, the step back, and the middle of that side of an object or its corner there.
struct Direction {
    name: &'static str,
    step: &'static str,
    back: &'static str,
    side: &'static str,
}

const DIRECTIONS: [Direction; 8] = [
    Direction {
        name: "right",
        step: "RIGHT",
        back: "LEFT",
        side: "fork(astuple, compose(first, center), rightmost)",
    },
    Direction {
        name: "down",
        step: "DOWN",
        back: "UP",
        side: "fork(astuple, lowermost, compose(last, center))",
    },
    Direction {
        name: "left",
        step: "LEFT",
        back: "RIGHT",
        side: "fork(astuple, compose(first, center), leftmost)",
    },
    Direction {
        name: "up",
        step: "UP",
        back: "DOWN",
        side: "fork(astuple, uppermost, compose(last, center))",
    },
    Direction { name: "down right", step: "UNITY", back: "NEG_UNITY", side: "lrcorner" },
    Direction { name: "down left", step: "DOWN_LEFT", back: "UP_RIGHT", side: "llcorner" },
    Direction { name: "up left", step: "NEG_UNITY", back: "UNITY", side: "ulcorner" },
    Direction { name: "up right", step: "UP_RIGHT", back: "DOWN_LEFT", side: "urcorner" },
];

/// The directions that make one plane: all, straight ones, diagonal ones.
const TOGETHER: [(&str, std::ops::Range<usize>); 3] =
    [("all", 0..8), ("straight", 0..4), ("diagonal", 4..8)];

/// The lines of `lines.txt`.
pub(super) fn entries() -> Vec<Entry<'static>> {
    super::entries(LINES)
}

/// A text in which what a direction says is filled in.
pub(super) fn open(source: &str) -> String {
    ["{d}", "{back}", "{side}"].iter().fold(source.to_string(), |text, name| text.replace(name, ""))
}

/// The planes of what starts where a text says, with their names.
pub(super) fn planes(starts: &str) -> Vec<(String, String)> {
    let mut planes = Vec::new();
    let (mut through, mut stopped) = (Vec::new(), Vec::new());
    for Direction { name, step, back, side } in &DIRECTIONS {
        let starts = starts.replace("{d}", step).replace("{back}", back).replace("{side}", side);
        let line = format!("ray(paint(canvas(ZERO, shape(I)), {starts}), ZERO, {back})");
        let first = format!(
            "toindices(sfilter(ray(fill(I, TEN, {starts}), ZERO, {back}), matcher(first, TEN)))"
        );
        let until = format!("sfilter({line}, compose(rbind(contained, {first}), last))");
        planes.push((format!("{name} through all"), line.clone()));
        planes.push((format!("{name} until stopped"), until.clone()));
        through.push(line);
        stopped.push(until);
    }
    for (name, directions) in TOGETHER {
        for (how, lines) in [("through all", &through), ("until stopped", &stopped)] {
            let canvas = "canvas(ZERO, shape(I))".to_string();
            let painted = lines[directions.clone()]
                .iter()
                .fold(canvas, |onto, line| format!("paint({onto}, {line})"));
            let plane =
                format!("sfilter(asobject({painted}), compose(flip, matcher(first, ZERO)))");
            planes.push((format!("{name} {how}"), plane));
        }
    }
    planes
}
