//! One instruction for what all lanes have together, which GPUs have since Ampere.
//!
//! The kernels are written for Turing too, where lanes exchange words five times and put two together
//! each time. Those steps are found in the text, and replaced where the device has better.

/// The PTX that has reductions, and the devices that do.
const VERSION: &str = ".version 7.0";
const TARGET: &str = ".target sm_80";

/// Which way kernels are changed; another way needs another number, since compiled kernels are kept by it.
pub const WAY: u32 = 1;

/// How far apart the lanes are that exchange words.
const DISTANCES: [&str; 5] = ["16", "8", "4", "2", "1"];

/// What puts two words together, and whether a word put together with itself stays as it is.
const JOINS: [(&str, bool); 6] = [
    ("or.b32", true),
    ("and.b32", true),
    ("min.s32", true),
    ("max.s32", true),
    ("min.u32", true),
    ("add.s32", false),
];

/// Kernels for Turing as kernels for Ampere and newer.
pub fn with_reductions(ptx: &str) -> String {
    let lines: Vec<&str> = ptx.lines().collect();
    let (mut text, mut at) = (String::with_capacity(ptx.len()), 0);
    while let Some(line) = lines.get(at) {
        if let Some(found) = Exchange::at(&lines[at..]) {
            text.push_str(&found.reduced());
            at += Exchange::LINES;
            continue;
        }
        let is = |name: &str| line.starts_with(name);
        text.push_str(if is(".version") {
            VERSION
        } else if is(".target") {
            TARGET
        } else {
            line
        });
        text.push('\n');
        at += 1;
    }
    text
}

/// The lines in which lanes exchange words, up to the last that does; what puts the last two words
/// together may stand elsewhere.
struct Exchange<'a> {
    join: &'a str,
    /// What every lane brings.
    word: &'a str,
    /// The two words that are put together last.
    last: [&'a str; 2],
    same: bool,
}

impl<'a> Exchange<'a> {
    const LINES: usize = 2 * DISTANCES.len() - 1;

    /// Those that begin with the first of some lines.
    fn at(lines: &[&'a str]) -> Option<Exchange<'a>> {
        let (mut word, mut join, mut last) = (None, None, ["", ""]);
        for (k, distance) in DISTANCES.iter().enumerate() {
            let (name, [to, from, far, "31", "-1"]) = instruction(lines.get(2 * k)?)? else {
                return None;
            };
            if name != "shfl.sync.bfly.b32" || far != *distance || (k > 0 && from != last[0]) {
                return None;
            }
            word = word.or(Some(from));
            if k + 1 == DISTANCES.len() {
                last[1] = to;
                break;
            }
            let (name, [joined, a, b]) = instruction(lines.get(2 * k + 1)?)?;
            if *join.get_or_insert(name) != name || ([a, b] != [to, from] && [a, b] != [from, to]) {
                return None;
            }
            last[0] = joined;
        }
        let join = join?;
        let same = JOINS.iter().find(|(name, _)| *name == join)?.1;
        Some(Exchange { join, word: word?, last, same })
    }

    /// The same in two instructions. Whatever is done with the last two words, it comes to joining them:
    /// they become two words that joined are what all lanes have together.
    fn reduced(&self) -> String {
        let Exchange { join, word, last: [a, b], same } = self;
        let other = if *same { a } else { "0" };
        format!("\tredux.sync.{join} \t{a}, {word}, -1;\n\tmov.b32 \t{b}, {other};\n")
    }
}

/// The name of an instruction, and its operands where there are so many.
fn instruction<const N: usize>(line: &str) -> Option<(&str, [&str; N])> {
    let (name, operands) = line.trim().strip_suffix(';')?.split_once([' ', '\t'])?;
    let mut parts = operands.split(',').map(str::trim);
    let mut found = [""; N];
    for place in &mut found {
        *place = parts.next()?;
    }
    parts.next().is_none().then_some((name, found))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::PTX;

    const SUM: &str = "\
.version 6.3
.target sm_75
\tshfl.sync.bfly.b32 \t%r2, %r1, 16, 31, -1;
\tadd.s32 \t%r3, %r2, %r1;
\tshfl.sync.bfly.b32 \t%r4, %r3, 8, 31, -1;
\tadd.s32 \t%r5, %r3, %r4;
\tshfl.sync.bfly.b32 \t%r6, %r5, 4, 31, -1;
\tadd.s32 \t%r7, %r5, %r6;
\tshfl.sync.bfly.b32 \t%r8, %r7, 2, 31, -1;
\tadd.s32 \t%r9, %r7, %r8;
\tshfl.sync.bfly.b32 \t%r10, %r9, 1, 31, -1;
\tadd.s32 \t%r11, %r9, %r10;
";

    #[test]
    fn five_exchanges_become_one_instruction() {
        let reduced = with_reductions(SUM);
        assert_eq!(
            reduced,
            "\
.version 7.0
.target sm_80
\tredux.sync.add.s32 \t%r9, %r1, -1;
\tmov.b32 \t%r10, 0;
\tadd.s32 \t%r11, %r9, %r10;
"
        );
    }

    #[test]
    fn what_is_not_the_same_five_times_stays() {
        for (from, to) in [
            ("%r7, %r5, %r6", "%r7, %r5, %r4"),
            ("%r7, 2, 31", "%r7, 3, 31"),
            ("%r6, %r5, 4", "%r6, %r3, 4"),
            ("add.s32 \t%r5", "max.s32 \t%r5"),
            ("add.s32", "xor.b32"),
        ] {
            let other = SUM.replacen(from, to, if from == "add.s32" { 5 } else { 1 });
            assert_ne!(other, SUM);
            let changed = with_reductions(&other);
            assert_eq!(changed.lines().skip(2).collect::<Vec<_>>(), {
                other.lines().skip(2).collect::<Vec<_>>()
            });
        }
    }

    /// The words in between are gone, so nothing else may read them.
    #[test]
    fn nothing_else_reads_what_is_exchanged() {
        let mut found = 0;
        for function in PTX.split("\n}\n") {
            let mut uses: HashMap<&str, usize> = HashMap::new();
            for word in function.split(|c: char| !c.is_ascii_alphanumeric() && c != '%') {
                *uses.entry(word).or_default() += 1;
            }
            let lines: Vec<&str> = function.lines().collect();
            for at in 0..lines.len() {
                let Some(exchange) = Exchange::at(&lines[at..]) else { continue };
                found += 1;
                for k in 0..4 {
                    let sent = instruction::<5>(lines[at + 2 * k]).map(|(_, [to, ..])| to);
                    let joined = instruction::<3>(lines[at + 2 * k + 1]).map(|(_, [to, ..])| to);
                    assert_eq!(sent.map(|r| uses[r]), Some(2), "{sent:?}");
                    // Written, sent, and joined with what came; the last may be joined elsewhere, or nowhere.
                    let used = joined.map_or(0, |r| uses[r]);
                    assert!(used == 3 || (k == 3 && used == 2), "{joined:?}");
                }
                let Exchange { join, last: [_, b], .. } = exchange;
                let mut reads = lines[at + Exchange::LINES..].iter().filter(|line| {
                    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '%').any(|w| w == b)
                });
                // The compiler may join another word in between.
                if let Some(read) = reads.next() {
                    let name = instruction::<3>(read).map(|(name, _)| name);
                    assert_eq!(name, Some(join), "{read}");
                }
                assert_eq!(reads.next(), None);
            }
        }
        assert!(found > 700, "{found}");
    }
}
