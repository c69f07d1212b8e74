//! How many colours there are to draw with, and what each ARC colour looks like in them.

use std::fmt::Write as _;

/// How many colours the terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// None: digits.
    Plain,
    /// The 16 of old terminals; they are approximate, so cells keep their digits.
    Sixteen,
    /// The 256 of most terminals.
    Many,
    /// 24 bits.
    True,
}

impl Depth {
    /// What the environment says about the terminal.
    pub fn detect(color_term: Option<&str>, term: Option<&str>) -> Depth {
        let term = term.unwrap_or_default();
        if matches!(color_term, Some("truecolor" | "24bit")) || term.ends_with("-direct") {
            Depth::True
        } else if term.contains("256color") {
            Depth::Many
        } else {
            Depth::Sixteen
        }
    }
}

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// With how many colours.
    pub depth: Depth,
    /// How many columns there are.
    pub width: usize,
    /// Whether coloured cells show their digits too.
    pub digits: bool,
}

impl Style {
    /// Digits only.
    #[cfg(test)]
    pub const PLAIN: Style = Style { depth: Depth::Plain, width: 80, digits: false };

    /// Two characters that stand for a cell; `marked` cells carry a mark beside their colour.
    pub fn cell(&self, paint: Paint, marked: bool, out: &mut String) {
        if self.depth == Depth::Plain {
            let mark = if marked { '!' } else { ' ' };
            let _ = match paint {
                Paint::Color(c @ 0..=9) => write!(out, "{c}{mark}"),
                Paint::Color(c @ 10..=99) if !marked => write!(out, "{c}"),
                Paint::Color(_) => write!(out, "?{mark}"),
                Paint::Spot => write!(out, "#{mark}"),
                Paint::Blank => write!(out, ".{mark}"),
            };
            return;
        }
        let color = match paint {
            Paint::Color(c @ 0..=9) => c as usize,
            Paint::Color(_) => 5,
            Paint::Spot => return out.push_str("\x1b[7m  \x1b[0m"),
            Paint::Blank => return out.push_str("\x1b[2m ·\x1b[0m"),
        };
        let text = match paint {
            Paint::Color(c @ 0..=9) if marked => format!("{c}!"),
            Paint::Color(c @ 0..=9) if self.digits || self.depth == Depth::Sixteen => {
                format!("{c} ")
            }
            // On a black terminal nothing else would show where a grid ends.
            Paint::Color(0) => "· ".to_string(),
            Paint::Color(1..=9) => "  ".to_string(),
            Paint::Color(c @ 10..=99) if !marked => c.to_string(),
            _ => format!("?{}", if marked { '!' } else { ' ' }),
        };
        let ink = match (INK_IS_BLACK[color], text.starts_with('·')) {
            (_, true) => 90,
            (true, _) => 30,
            (false, _) => 97,
        };
        let ground = match self.depth {
            Depth::True => {
                let (r, g, b) = RGB[color];
                format!("48;2;{r};{g};{b}")
            }
            Depth::Many => format!("48;5;{}", MANY[color]),
            Depth::Plain | Depth::Sixteen => SIXTEEN[color].to_string(),
        };
        let _ = write!(out, "\x1b[{ground};{ink}m{text}\x1b[0m");
    }

    /// Text that stands out.
    pub fn bold(&self, text: &str) -> String {
        self.escape("1", text)
    }

    /// Text that stays in the background.
    pub fn dim(&self, text: &str) -> String {
        self.escape("2", text)
    }

    /// Good news.
    pub fn good(&self, text: &str) -> String {
        self.escape("32", text)
    }

    /// Bad news.
    pub fn bad(&self, text: &str) -> String {
        self.escape("31", text)
    }

    fn escape(&self, code: &str, text: &str) -> String {
        if self.depth == Depth::Plain || text.is_empty() {
            text.to_string()
        } else {
            format!("\x1b[{code}m{text}\x1b[0m")
        }
    }
}

/// What a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// A colour; ARC has 0 to 9, programs may make others.
    Color(i32),
    /// A location without a colour.
    Spot,
    /// Nothing there.
    Blank,
}

/// What each ARC colour looks like.
pub const RGB: [(u8, u8, u8); 10] = [
    (0, 0, 0),
    (30, 120, 220),
    (240, 60, 50),
    (50, 200, 70),
    (250, 220, 30),
    (150, 150, 150),
    (230, 40, 190),
    (250, 135, 40),
    (130, 215, 250),
    (130, 15, 40),
];
const MANY: [u8; 10] = [16, 32, 203, 41, 220, 247, 199, 208, 117, 88];
const SIXTEEN: [u8; 10] = [40, 44, 101, 42, 103, 100, 105, 43, 106, 41];
const INK_IS_BLACK: [bool; 10] = [false, false, false, true, true, true, false, true, true, false];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_chooses_the_depth() {
        assert_eq!(Depth::detect(Some("truecolor"), None), Depth::True);
        assert_eq!(Depth::detect(Some("24bit"), Some("xterm")), Depth::True);
        assert_eq!(Depth::detect(None, Some("xterm-256color")), Depth::Many);
        assert_eq!(Depth::detect(None, Some("xterm-direct")), Depth::True);
        assert_eq!(Depth::detect(None, Some("linux")), Depth::Sixteen);
        assert_eq!(Depth::detect(None, None), Depth::Sixteen);
    }

    #[test]
    fn cells_are_two_wide_and_marks_are_characters() {
        let drawn = |depth, paint, marked| {
            let mut out = String::new();
            Style { depth, width: 80, digits: false }.cell(paint, marked, &mut out);
            out
        };
        for paint in [-3, 0, 7, 12, 1000].map(Paint::Color).into_iter().chain([Paint::Blank]) {
            for marked in [false, true] {
                assert_eq!(drawn(Depth::Plain, paint, marked).chars().count(), 2, "{paint:?}");
            }
        }
        for depth in [Depth::Plain, Depth::Sixteen, Depth::Many, Depth::True] {
            assert!(drawn(depth, Paint::Color(3), true).contains("3!"), "{depth:?}");
            assert!(!drawn(depth, Paint::Color(3), false).contains('!'), "{depth:?}");
        }
        assert_eq!(drawn(Depth::True, Paint::Color(0), false), "\x1b[48;2;0;0;0;90m· \x1b[0m");
        assert_eq!(drawn(Depth::Many, Paint::Color(1), false), "\x1b[48;5;32;97m  \x1b[0m");
        assert_eq!(drawn(Depth::Sixteen, Paint::Color(1), false), "\x1b[44;97m1 \x1b[0m");
    }
}
